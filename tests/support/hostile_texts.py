"""Texts that would do something if they were taken for more than text, and sessions full of them.

They stand in what candidates, models, rubrics and plans say.
"""

from __future__ import annotations

import shutil
import unicodedata
from datetime import datetime, timedelta
from pathlib import Path

from interviewer.examiner.protocol import Persona, QuestionContext
from interviewer.grading.verdicts import Judgement, Verdict
from interviewer.interview.commands import Answer
from interviewer.interview.events import RoundOutline, YourTurn
from interviewer.rubric.rubric import Misconception, Rating, Rubric
from interviewer.store.records import Draft
from interviewer.store.store import Store
from support import databases
from support.examiners import ScriptedExaminer
from support.rubrics import a_criterion, a_rubric
from support.sessions import begin, hold

TEXTS = {
    "ansi": "ansi \x1b[31mred\x1b[2J\x1b[1;1H\x1bc end",
    "osc": "osc \x1b]0;title\x07\x1b]8;;http://evil.test\x1b\\link\x1b]52;c;cHduZWQ=\x07 end",
    "c1": "c-one \x9b31mred\x9d0;title\x9c\x90q\x85 end",
    "textual": "textual [@click=app.pwned]click[/] [b]loud[/b] [/nonsense] [$error]e[/] [ end",
    "rich": "rich [link=http://evil.test]x[/link] [blink]b[/blink] :bomb: \\[z] end",
    "html": "html <script>pwned()</script><img src=x onerror=pwned()><b>b</b> &lt; <!-- end",
    "formula": "=HYPERLINK(formula) | @SUM(1) | +1 -- 1 end",
    "bidi": "bidi abc\u202edef\u2066x\u2069\u200b\u2028y\ufeff end",
    "nul": "nul a\x00b\x7fc\rd\x08 end",
}
WORDS = {name: text.split()[0] for name, text in TEXTS.items()}
"""The first word of each, which is harmless and stands nowhere else."""
FINISHED = "5e551000ee"


def rubric_of(name: str) -> Rubric:
    """A question that says the text wherever a question can say something."""
    text = TEXTS[name]
    point, lost = (
        a_criterion(
            f"{kind}-{name}",
            claim=f"{text} {kind}",
            probe=f"{text} probe?",
            hints=(f"{text} hint", f"{text} hint two"),
            accept=(f"{text} accepted",),
            misconceptions=(Misconception(claim=f"{text} believed"),),
        )
        for kind in ("met", "lost")
    )
    return a_rubric(
        point,
        lost,
        id=f"hostile-{name}",
        title=f"{text} title",
        question=f"{text} question?",
        reference=f"{text} reference.",
        sources=(f"{text} source",),
    )


RUBRICS = {rubric.id: rubric for rubric in map(rubric_of, TEXTS)}


def own_words(text: str) -> str:
    """What the candidate makes of it: a quote that only repeats the question proves nothing."""
    return f"zebras graze near {text} where rivers bend slowly north"


def _judge(context: QuestionContext) -> Judgement:
    """Credit for the first point in the candidate's own words; what a model says of the second."""
    name = context.rubric.id.removeprefix("hostile-")
    text = TEXTS[name]
    met = Verdict(
        f"met-{name}",
        Rating.MET,
        own_words(text),
        doubt=f"{text} doubt",
        alternative=Rating.PARTIAL,
    )
    return Judgement((met, Verdict(f"lost-{name}", Rating.NOT_MET, missing=f"{text} gap")), "x")


def examiner() -> ScriptedExaminer:
    """One whose words are such texts too."""
    return ScriptedExaminer(
        judgement=_judge,
        words=lambda context, _: f"{TEXTS[context.rubric.id.removeprefix('hostile-')]} follow-up?",
        about=TEXTS["textual"],
    )


def rounds() -> list[RoundOutline]:
    """A round for each text, which is in its title and in the name of who asks."""
    return [
        RoundOutline(
            f"{text} round", Persona(f"{text} Ada", "patient"), 600, 1, (f"hostile-{name}",)
        )
        for name, text in TEXTS.items()
    ]


async def practise(store: Store, now: datetime) -> None:
    """A finished session with all the texts, and an open one that is called by each."""
    at = now - timedelta(days=2)
    interview = begin(
        store, rounds(), RUBRICS, examiner(), session=FINISHED, title="All at once", at=lambda: at
    )
    said = 0
    async for event in interview:
        if isinstance(event, YourTurn):
            said += 1
            text = list(TEXTS.values())[len(interview.state.rounds) - 1]
            interview.send(Answer(f"{own_words(text)}, take {said}"))
    for number, (name, text) in enumerate(TEXTS.items()):
        outline = RoundOutline("A round", Persona("Ada", "patient"), 600, 1, (f"hostile-{name}",))
        rubrics = {f"hostile-{name}": RUBRICS[f"hostile-{name}"]}
        session = f"5e5510{number:04}"
        begun = begin(store, [outline], rubrics, examiner(), session=session, title=f"{text} plan")
        await hold(begun, [])
        store.save_draft(session, "answer", Draft(f"{text} draft", now, 1.0))


def steering(text: str) -> list[str]:
    """The characters in it that could steer a terminal, or hide what it says; none may be there."""
    return [
        char
        for char in text
        if char not in "\n\t" and unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp")
    ]


def told_in(text: str) -> set[str]:
    return {name for name, word in WORDS.items() if word in text}


def practised(database: Path) -> None:
    database.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(databases.practised(practise), database)
