"""What the interviewer is sent and what its replies say; no answer key is in it.

Messages but the last only grow at their end, so that a server can keep what it has read.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator

from interviewer.examiner.llm.client import ChatRequest
from interviewer.examiner.llm.messages import (
    Message,
    as_json,
    asked,
    facts_of,
    fenced,
    filled,
    load_prompt,
    on_one_line,
    open_points,
    question_of,
    rules,
    tasks,
)
from interviewer.examiner.llm.replies import (
    Name,
    Read,
    Usable,
    Words,
    as_written,
    only_object,
    or_else,
    schema_of,
)
from interviewer.examiner.protocol import (
    NONE,
    NOTHING,
    WORDED,
    AnswerToRead,
    EarlierQuestion,
    Heard,
    Move,
    MoveKind,
    Proposal,
    QuestionContext,
    Rejected,
)
from interviewer.grading.claims.quantity import (
    Outcome,
    Quantity,
    Reading,
    known_circumstances,
    measures,
)
from interviewer.grading.claims.reported import WHOSE, Reported, has_number, verified
from interviewer.grading.transcript import DialogueAct, Turn, TurnKind
from interviewer.rubric.rubric import Rating, Rubric
from interviewer.rubric.text import shortened

SPEAKER_TEMPERATURE = 0.4
LISTEN_CAP, ASK_CAP, FIGURES_CAP = 6144, 1536, 4096
"""Tokens: a tenth for the words, the rest for reasoning."""
HEARD_CHARACTERS, SPOKEN_CHARACTERS, FIGURES_CHARACTERS = 24_000, 600, 20_000
"""What an honest reply stays within; nothing longer is said."""
ANSWER_CHARACTERS = 12_000
"""Of a longer answer only the beginning is read for figures."""
MOST_FIGURES, MOST_PROPOSALS = 80, 3
LEDGER_FIGURES = 60
"""At most so many figures of before are shown, the latest."""
TURN_CHARACTERS = 3000
"""Of a longer turn the interviewer sees the beginning and the end."""
EARLIER_CHARACTERS = 4000
"""All that it is told of earlier questions: it has to fit beside the rest into a small context."""
EARLIER_QUESTION_CHARACTERS = 100
CLAIMS_OF_ONE, CLAIMS_OF_ALL = 4, 16
"""So many claims of an earlier question are told, and about so many of all, but one of each."""
UNREAD = "The model did not say which numbers the answer states."

# -- figures ----------------------------------------------------------------------------


def figures_rules() -> str:
    """How figures are read, with all quantities and circumstances; the same for every answer."""
    return f"{load_prompt('figures').text}\n\n{_lists()}"


def figures_version() -> str:
    """The version of the prompt and of the lists that it is sent with."""
    digest = hashlib.sha256(_lists().encode()).hexdigest()[:4]
    return f"{load_prompt('figures').version}-{digest}"


@cache
def _lists() -> str:
    told = (f"{id_}: {measure.means}" for id_, measure in measures().items())
    stated = (f"{name}: {means}" for name, (means, _) in known_circumstances().items())
    return "\n".join(("Quantities:", *told, "", "Circumstances:", *stated))


def figures_request(answer: AnswerToRead) -> ChatRequest:
    """What a model needs to read the figures of an answer, and does nothing else."""
    data = {
        "asked": answer.asked[:ANSWER_CHARACTERS],
        "ledger": _ledger(answer.figures),
        "answer": answer.turn.text[:ANSWER_CHARACTERS],
    }
    messages = (
        Message("system", f"{figures_rules()}\n\n{tasks()['figures']}"),
        Message("user", fenced("The answer", [data], f"figures {answer.turn.number}")),
    )
    size = FIGURES_CAP, 0.0, FIGURES_CHARACTERS
    return ChatRequest(
        "figures", figures_version(), messages, *size, figures_schema(), optional=True
    )


def _ledger(figures: Sequence[Quantity]) -> list[dict[str, object]]:
    shown = [each for each in figures if each.whose in ("own", "team")][-LEDGER_FIGURES:]
    return [
        {"run": q.run, "quantity": q.measure, "said": q.text, "turn": q.turn}
        | filled(status=q.status != "stands" and q.status)
        for q in shown
    ]


def _told(entry: object) -> object:
    """The entry without what is null, its names spelt our way."""
    if not isinstance(entry, dict):
        return entry
    named = ("quantity", "whose", "status")
    return {
        name: as_written(value) if name in named else value
        for name, value in entry.items()
        if value is not None
    }


class _Circumstance(BaseModel):
    run: Words = ""
    what: Name
    quote: Words = ""


class _Figures(BaseModel):
    figures: Usable[Annotated[Reported, BeforeValidator(_told)]]
    circumstances: Usable[_Circumstance] = []
    objection: Annotated[Literal["", "explained", "withdrawn", "stands"], or_else("")] = ""


def figures_schema(model: type[BaseModel] = _Figures) -> dict[str, Any]:
    """The JSON schema of a reply on figures."""
    return schema_of(
        model,
        move=[kind.value for kind in WORDED],
        quantity=measures(),
        whose=WHOSE,
        status=("stands", "hypothetical", "withdrawn"),
        what=known_circumstances(),
    )


def read_figures_reply(text: str, answer: Turn) -> Read[Reading]:
    """What a reply reports of this answer, as far as the words hold it."""
    reply = only_object(text, "figures")
    return _reading({} if isinstance(reply, str) else reply, answer)


def unread(answer: Turn) -> Reading:
    """The figures of an answer that could not be read; there may be none."""
    return Reading(answer.number, by="model", failed=UNREAD if has_number(answer.text) else "")


def _reading(reply: Mapping[str, Any], answer: Turn) -> Read[Reading]:
    """The figures in a reply that may hold other things besides."""
    entries = reply.get("figures")
    if not has_number(answer.text) or not isinstance(entries, list):
        failed = unread(answer)
        return Read(failed, (failed.failed,) if failed.failed else ())
    entries = entries[:MOST_FIGURES]
    read = _Figures.model_validate({**reply, "figures": entries})
    stated = [(c.run, c.what) for c in read.circumstances if c.quote and c.quote in answer.text]
    resolves: Outcome | Literal[""] = (
        "given_up" if read.objection == "withdrawn" else read.objection
    )
    unusable = len(entries) - len(read.figures)
    reading = verified(
        read.figures, stated, answer.number, answer.text, resolves, unusable=unusable
    )
    told = len(reading.quantities) + reading.dropped
    dropped = f"{reading.dropped} of {told} figures dropped"
    return Read(reading, (dropped,) if reading.dropped else (), "ok")


# -- what the interviewer is sent -------------------------------------------------------


def topics_of(rubric: Rubric) -> Mapping[str, str]:
    """The neutral id of each criterion."""
    return {criterion.id: f"t{n}" for n, criterion in enumerate(rubric.criteria, start=1)}


def listen_request(context: QuestionContext) -> ChatRequest:
    """What the interviewer needs to hear the latest turn."""
    version = f"{load_prompt('listen').version} {figures_version()}"
    size = LISTEN_CAP, SPEAKER_TEMPERATURE, HEARD_CHARACTERS
    messages = _messages(context, "Where the question stands", _state(context), "listen")
    return ChatRequest("listen", version, messages, *size, heard_schema())


def ask_request(
    context: QuestionContext, move: Move, rejected: Sequence[Rejected] = ()
) -> ChatRequest:
    """What the interviewer needs to put this move into words."""
    size = ASK_CAP, SPEAKER_TEMPERATURE, SPOKEN_CHARACTERS
    if move.kind is MoveKind.OPEN:
        return ChatRequest("ask", load_prompt("open").version, _opening_messages(context), *size)
    refused = [{"text": each.text, "why": each.why} for each in rejected]
    data = {**_state(context), "move": move.kind.value, **_aim(context, move)}
    messages = _messages(context, "The move to make", data | filled(rejected=refused), "ask")
    return ChatRequest("ask", load_prompt("listen").version, messages, *size)


def _opening_messages(context: QuestionContext) -> tuple[Message, ...]:
    """What it needs to open on the candidate's own project."""
    own = context.rubric.own_project
    data = {
        "persona": _persona(context),
        "passage": own.passage if own else "",
        "question": context.rubric.question,
        "topics": [criterion.probe for criterion in context.rubric.criteria],
    }
    return (
        Message("system", load_prompt("open").text),
        Message("user", fenced("The passage and the question", [data], context.rubric.question)),
    )


def _messages(context: QuestionContext, label: str, data: object, task: str) -> tuple[Message, ...]:
    subject, before = question_of(context), _remembered(context.earlier)
    put = (TurnKind.QUESTION, context.rubric.question)  # the message on the question holds it
    talk = [_as_heard(turn, context) for turn in context.turns if (turn.kind, turn.text) != put]
    earlier = fenced("The earlier questions", before, "the interview")
    last = f"{fenced(label, [data], subject)}\n{tasks()[task]}"
    return (
        Message("system", f"{rules('listen', context)}\n\n{figures_rules()}"),
        *([Message("user", earlier)] if before else []),
        Message("user", fenced("This question", [_question(context)], subject)),
        Message("user", fenced("The conversation", talk, subject)),
        Message("user", last),
    )


def _remembered(earlier: Sequence[EarlierQuestion]) -> list[dict[str, object]]:
    """The latest earlier questions that fit, oldest first; the more there are, the fewer claims."""
    most = max(1, min(CLAIMS_OF_ONE, CLAIMS_OF_ALL // max(1, len(earlier))))
    lines = [
        {
            "question": shortened(each.question, EARLIER_QUESTION_CHARACTERS),
            "claims": each.claims[:most],
        }
        | filled(
            left_open=each.left_open,
            asked=[
                shortened(text, EARLIER_QUESTION_CHARACTERS) for text in each.asked[: most // 2]
            ],
        )
        for each in earlier
    ]
    while sum(len(as_json(line)) for line in lines) > EARLIER_CHARACTERS:
        del lines[0]
    return lines


def _question(context: QuestionContext) -> dict[str, object]:
    """What stays as it is from the first answer to the last."""
    rubric, place = context.rubric, context.rubric.escalation_to_ask
    return {
        "persona": _persona(context),
        "mode": "exam" if context.exam else "practice",
        **asked(rubric),
        "topics": [
            filled(id=f"t{n}", question=c.probe, wants=c.kind, first=c.must_have)
            for n, c in enumerate(rubric.criteria, start=1)
        ],
        **filled(
            they_ask=rubric.candidate_asks,
            simpler=rubric.simpler,
            harder="" if place is None else rubric.harder[place],
        ),
    }


def _state(context: QuestionContext) -> dict[str, object]:
    """What the latest turn may have changed."""
    topics = topics_of(context.rubric)
    settled = [v.criterion for v in context.verdicts if v.verdict is Rating.MET]
    tried: dict[str, list[str]] = {}
    for turn in context.turns:
        if turn.author == "examiner" and (topic := topics.get(turn.target or "")):
            tried.setdefault(topic, []).append(turn.kind.value)
    closed = {each.kind.value: each.closed for each in context.moves if each.closed}
    open_ = {target for each in context.moves for target in each.targets}
    return {
        "settled": [topics[each] for each in settled if each in topics],
        "tried": tried,
        "follow_ups_left": context.follow_ups_left,
        **filled(
            closed=closed,
            closed_topics=[topic for id_, topic in topics.items() if open_ and id_ not in open_],
            drills=context.drills and MoveKind.DRILL.value not in closed,
            pending=context.wants,
            ledger=_ledger(context.figures),
            numbers=context.numbers,
            open_points=open_points(context),
        ),
    }


def _aim(context: QuestionContext, move: Move) -> dict[str, object]:
    """What to ask about and for, in words that give nothing away: the rubric's own probe."""
    ask_for = tasks()["ask_for"]
    if move.kind is MoveKind.ESCALATE:
        return {"topic": context.rubric.harder[move.escalation], "ask_for": ask_for["harder"]}
    if move.remark:
        return {"after": move.remark.value}
    drills, target = move.kind is MoveKind.DRILL, move.target
    if not target:
        on_figure = {"figure": move.sum} if move.sum else {}
        return {"ask_for": ask_for["experience"], **on_figure} if drills else {}
    criterion = context.rubric.criterion(target)
    return filled(
        topic=topics_of(context.rubric)[target],
        topic_question=criterion.probe,
        ask_for=ask_for["experience" if drills else criterion.kind],
        their_words=next((v.evidence for v in context.verdicts if v.criterion == target), ""),
    )


def _persona(context: QuestionContext) -> dict[str, object]:
    told = context.persona
    return filled(
        name=told.name, manner=told.manner, patience=told.patience, cares_about=told.cares_about
    )


def _as_heard(turn: Turn, context: QuestionContext) -> dict[str, object]:
    text, half = turn.text, TURN_CHARACTERS // 2
    if len(text) > TURN_CHARACTERS:
        text = f"{text[:half]} […] {text[-half:]}"
    return {
        "who": "you" if turn.author == "examiner" else "candidate",
        **filled(
            kind=turn.kind is not TurnKind.ANSWER and turn.kind.value,
            topic=topics_of(context.rubric).get(turn.target or ""),
            bench=turn.result and facts_of(turn.result),
        ),
        "text": text,
    }


# -- what it replies ----------------------------------------------------------------------

_AIMED = (MoveKind.PIN_DOWN, MoveKind.CHALLENGE, MoveKind.PROBE)
_GAP = re.compile(r"…|\.\.\.")
"""Left open as in the examples of the prompt, which small models copy."""
_ASKED = frozenset((*measures(), "decision", "incident", "measurement"))
_GIVEN = _ASKED | {NONE, NOTHING}


def _named(topic: object) -> object:
    return "" if (name := as_written(topic)) in (None, "none", "null") else name


class _Proposal(BaseModel):
    move: Annotated[MoveKind, BeforeValidator(as_written)]
    topic: Annotated[str, BeforeValidator(_named)] = ""
    asks: Annotated[str, or_else(""), BeforeValidator(as_written)] = ""
    text: Annotated[str, BeforeValidator(on_one_line)]

    def proposal(self, rubric: Rubric, acts: Sequence[DialogueAct]) -> Proposal | None:
        """None if the words cannot be said, or the move is none of its own or lacks its aim."""
        place = rubric.escalation_to_ask
        criteria = {name: criterion for criterion, name in topics_of(rubric).items()}
        if not 0 < len(self.text) <= SPOKEN_CHARACTERS or _GAP.search(self.text):
            return None
        if self.move is MoveKind.REDIRECT:
            return Proposal(self.text, Move(self.move, remark=acts[0])) if acts else None
        if self.move is MoveKind.REFRAME:
            return Proposal(self.text, Move(self.move))
        if self.move is MoveKind.ESCALATE:
            move = Move(self.move, escalation=place or 0)
            return None if place is None else Proposal(self.text, move)
        target = criteria.get(self.topic, "")
        lacks = not target and (self.topic or self.move in _AIMED)
        if lacks or self.move not in WORDED:
            return None
        asks = self.asks if self.move is MoveKind.DRILL and self.asks in _ASKED else ""
        return Proposal(self.text, Move(self.move, target, wants=asks))


class _Utterance(BaseModel):
    acts: Usable[Annotated[DialogueAct, BeforeValidator(as_written)]] = []
    gives: Annotated[str, or_else(""), BeforeValidator(as_written)] = ""
    whose: Annotated[Literal["", "own", "team", "other"], or_else("")] = ""
    say: Usable[_Proposal] = []


class _Heard(_Figures, _Utterance):
    """The whole reply."""


def heard_schema() -> dict[str, object]:
    """The JSON schema of a reply, the same for all questions: some servers put it first."""
    return figures_schema(_Heard)


def read_heard(text: str, rubric: Rubric, turn: Turn) -> Read[Heard]:
    """What the reply says; nothing if it holds nothing usable, or more than one such object."""
    nothing = Heard(frozenset(), reading=unread(turn))
    reply = only_object(text, "acts", "say", kind=object)
    if isinstance(reply, str):
        return Read(nothing, (reply,))
    said, figures = _Utterance.model_validate(reply), _reading(reply, turn)
    usable = dict.fromkeys(p for each in said.say if (p := each.proposal(rubric, said.acts)))
    heard = Heard(
        frozenset(said.acts),
        tuple(usable)[:MOST_PROPOSALS],
        figures.value,
        gives=said.gives if said.gives in _GIVEN else "",
        whose=said.whose,
    )
    if not (heard.acts or heard.proposals):
        return Read(nothing, ("it names no act and nothing to say",))
    return Read(heard, figures.problems, figures.outcome)
