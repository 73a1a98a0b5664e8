"""What a candidate's turn does, told by rules: answers, wishes, questions back, and the rest.

The rules know what is short and unmistakable. Where a model listens it says what a turn does,
within :func:`acts_of`: beside an answer the milder reading holds, so no one is taken for giving
orders.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Literal

from interviewer.grading.transcript import (
    DialogueAct,
    ParsedAnswer,
    Turn,
    TurnKind,
    withdrawing_words,
)
from interviewer.rubric.rubric import Criterion, Rubric
from interviewer.rubric.text import (
    COMMON_STEMS,
    FUNCTION_WORDS,
    content_stems,
    recall,
    shared_trigrams,
)
from interviewer.yaml_tables import table

ANSWERING_STEMS = 3
"""With this many content words beside a wish or a question, the turn answers, too."""
GIVING_UP_STEMS, GIVING_UP_LETTERS = 5, 20
"""With this many content words a turn says something, even if it begins with "I don't know", and
with more letters beyond ASCII."""
FEW_WORDS = 10
"""A wish may be told by a word or two in a turn of at most so many."""
SHORT_QUESTION = 14
"""A turn that is one question of at most so many words is a question back."""
REPEATED_FROM = 0.8
REPEATED_WORDS = 8
SAID_AGAIN_FROM = 0.5
"""The share of an answer's content words that one of before holds, if it is announced so."""
OFF_TOPIC_STEMS = 4
OFF_TOPIC_SHARE = 0.12
"""A turn with this many content words, and no larger share of them on the subject, is off topic."""
ANOTHER_SHARE = 0.3
"""An answer with no larger share of its words on the question may be one to another."""
SAID_FROM = 0.6
"""With this share of a claim's words an answer may have made the point."""
CHATTY_STEMS, CHAT_SHARE = 10, 0.3
"""So many content words without a single term of the field may share more with any question."""
ENGLISH_FROM = 0.15
"""The share of function words from which a text counts as English."""

_WISHES = (
    DialogueAct.WANTS_TO_STOP,
    DialogueAct.WANTS_SKIP,
    DialogueAct.WANTS_REPEAT,
    DialogueAct.WANTS_REPHRASE,
    DialogueAct.WANTS_RUBRIC,
    DialogueAct.WANTS_ANSWER,
    DialogueAct.WANTS_COMFORT,
    DialogueAct.OBJECTS,
    DialogueAct.SAID_THAT,
    DialogueAct.TRIES,
    DialogueAct.INSULT,
)


@cache
def _listed(name: str) -> str:
    """What ``listening.yaml`` lists under this name."""
    return str(table("listening", __package__)[name])


@cache
def _signs(name: str) -> re.Pattern[str]:
    return re.compile(_listed(name).replace("\n", "").replace("HINT", _listed("hint")))


def _says(name: str, text: str) -> bool:
    return bool(_signs(name).search(text))


def _words(name: str) -> frozenset[str]:
    return frozenset(_listed(name).split())


@cache
def _terms() -> frozenset[str]:
    """The stems of words of the field."""
    return content_stems(_listed("terms"))


def acts_of(
    turns: Sequence[Turn], by_model: frozenset[DialogueAct] = frozenset()
) -> frozenset[DialogueAct]:
    """What the last of these turns, a candidate's, does as a model heard it; by rules if none did.

    The rules have the last word on what costs the candidate something beside an answer, and on what
    is plainly no answer, since nobody judged it.
    """
    if not by_model:
        return _acts_by_rule(turns)
    offered = {DialogueAct.ACCEPTS} if _offers(turns[-2]) else set()
    if by_model <= _ANSWERS_NOTHING | offered:
        return by_model
    by_rule = _acts_by_rule(turns)
    if DialogueAct.ANSWER not in by_rule:
        return by_rule | (by_model - _COSTLY - {DialogueAct.ANSWER, DialogueAct.OFF_TOPIC})
    return frozenset({DialogueAct.ANSWER}) | (by_rule & _COSTLY) | (by_model - _COSTLY)


def _acts_by_rule(turns: Sequence[Turn]) -> frozenset[DialogueAct]:
    """ANSWER is among them only if it holds something to judge."""
    turn, before = turns[-1], turns[:-1]
    if turn.kind is TurnKind.DONT_KNOW:
        return frozenset({DialogueAct.GIVES_UP})
    if turn.run is not None:  # lines of a derivation are an answer, whatever their words
        return frozenset({DialogueAct.ANSWER})
    answer = turn.parsed
    if not any(map(str.isalnum, answer.text)):  # "..." is silence
        return frozenset({DialogueAct.GIVES_UP})
    if _is_order(answer):
        return frozenset({DialogueAct.ORDER})
    if reply := _reply_to_offer(answer, before):
        return reply
    if _repeats(answer, before):
        return frozenset({DialogueAct.REPETITION})
    if 0 < len(answer.words) <= 4 and set(answer.words) <= _words("bare") | _words("refusals"):
        refuses = set(answer.words) <= _words("refusals")
        return frozenset({DialogueAct.GIVES_UP if refuses else DialogueAct.BARE})
    if wish := _in_few_words(answer):
        return frozenset({wish})
    acts = set(_spoken_acts(answer))
    foreign = DialogueAct.GIVES_UP in acts and not _is_english(answer)
    if not acts or (_answers_besides(answer) and not foreign):
        acts.add(DialogueAct.ANSWER)
    if answer.gives_orders():
        acts.add(DialogueAct.ORDER)
    return frozenset(acts)


@cache
def _few_words() -> tuple[tuple[DialogueAct, re.Pattern[str]], ...]:
    listed = table("listening", __package__)["in_few_words"].items()
    return tuple((DialogueAct(act), re.compile(words.replace("\n", ""))) for act, words in listed)


def _in_few_words(answer: ParsedAnswer) -> DialogueAct | None:
    """What a short turn wishes for; a number, or a term of the field, makes it an answer."""
    text, is_question = answer.plain.text, DialogueAct.QUESTION_BACK
    if len(answer.words) > FEW_WORDS or answer.quantities:
        return None
    is_answer = bool(answer.stems & _terms())
    found = (act for act, words in _few_words() if words.search(text))
    return next((act for act in found if act is is_question or not is_answer), None)


SpokenKind = Literal[TurnKind.ANSWER, TurnKind.DONT_KNOW, TurnKind.ASIDE]


def kind_of(acts: frozenset[DialogueAct]) -> SpokenKind:
    """How such a turn goes into the transcript; only answers are judged."""
    if DialogueAct.ANSWER in acts:
        return TurnKind.ANSWER
    return TurnKind.DONT_KNOW if acts == {DialogueAct.GIVES_UP} else TurnKind.ASIDE


def _spoken_acts(answer: ParsedAnswer) -> list[DialogueAct]:
    plain = answer.plain.text
    acts = [act for act in _WISHES if _says(act, plain)]
    if _says("wants_hint", plain) and not _says("no_hint", plain):
        acts.append(DialogueAct.WANTS_HINT)
    if not acts and _asks_back(answer):
        acts.append(DialogueAct.QUESTION_BACK)
    if _gives_up(answer):
        acts.append(DialogueAct.GIVES_UP)
    if DialogueAct.TRIES not in acts and withdrawing_words(answer.plain.text):
        acts += [DialogueAct.WITHDRAWAL, DialogueAct.ANSWER]
    return acts


def _gives_up(answer: ParsedAnswer) -> bool:
    """It says so and little more; "I'm not sure the gain is real" is an answer, and a good one."""
    other_letters = sum(each.isalpha() and not each.isascii() for each in answer.plain.text)
    if not _says("gives_up", answer.plain.text) or other_letters > GIVING_UP_LETTERS:
        return False
    if not _is_english(answer) and len(answer.words) <= SHORT_QUESTION:
        return True
    return len(answer.stems) < GIVING_UP_STEMS and not _answers_besides(answer)


def _is_english(answer: ParsedAnswer) -> bool:
    joined = sum(word in FUNCTION_WORDS for word in answer.words)
    return joined >= ENGLISH_FROM * len(answer.words)


def _is_order(answer: ParsedAnswer) -> bool:
    """The turn instructs the examiner and says next to nothing else."""
    text = answer.plain.text
    if not (answer.gives_orders() or _says("orders", text)):
        return False
    sentences = (text[a:b] for a, b in answer.judged_sentences)
    rest = [content_stems(each) for each in sentences if not _says("orders", each)]
    return len(frozenset().union(*rest)) < ANSWERING_STEMS


def _reply_to_offer(answer: ParsedAnswer, before: Sequence[Turn]) -> frozenset[DialogueAct]:
    if not before or not _offers(before[-1]):
        return frozenset()
    plain = answer.plain.text
    if _says("wants_hint", plain) and not _says("no_hint", plain):
        return frozenset({DialogueAct.ACCEPTS})
    if _says("says_yes", plain) and len(answer.words) <= SHORT_QUESTION:
        return frozenset({DialogueAct.ACCEPTS})
    if _says("says_no", plain) or _says("no_hint", plain):
        more = {DialogueAct.ANSWER} if _answers_besides(answer) and _is_english(answer) else set()
        return frozenset({DialogueAct.DECLINES, *more})
    return frozenset()


def _offers(turn: Turn) -> bool:
    if turn.kind is TurnKind.OFFER:
        return True
    reminded = turn.kind in (TurnKind.REDIRECT, TurnKind.CLARIFY)
    return reminded and _says("hint_mentioned", turn.text)


def _repeats(answer: ParsedAnswer, before: Sequence[Turn]) -> bool:
    """Nearly all of it stands in one earlier turn, the candidate's or the examiner's."""
    if len(answer.words) < REPEATED_WORDS or says_no(answer):
        return False
    said = [turn.parsed for turn in before if turn.kind is not TurnKind.BENCH]
    if repeats(answer, said):
        return True
    own = [turn.parsed.stems for turn in before if turn.author == "candidate"]
    announced = _says("as_i_said", answer.plain.text)
    return announced and any(recall(answer.stems, each) >= SAID_AGAIN_FROM for each in own)


def repeats(answer: ParsedAnswer, said: Iterable[ParsedAnswer]) -> bool:
    """It is long enough to be a passage, and nearly all of it stands in one of these."""
    found = (shared_trigrams(answer.words, [each.words]) for each in said)
    return len(answer.words) >= REPEATED_WORDS and any(each >= REPEATED_FROM for each in found)


def _asks_back(answer: ParsedAnswer) -> bool:
    """It begins or ends with a question to the examiner; a guess is no question."""
    text = answer.plain.text
    ends = dict.fromkeys((answer.sentences[0], answer.sentences[-1])) if answer.sentences else ()
    asked = [text[a:b] for a, b in ends if text[a:b].rstrip().endswith("?")]
    if any(_says("asks_back", each) for each in asked):
        return True
    first = text[slice(*answer.sentences[0])] if answer.sentences else ""
    if first in asked and _says("either", first) and not _says("tentative", first):
        return True
    plain = text.strip()
    alone = plain.endswith("?") and len(answer.words) <= SHORT_QUESTION
    opens = _says("opens_question", plain) and not _says("tentative", plain)
    return alone and opens and len(answer.stems) <= ANSWERING_STEMS


def _answers_besides(answer: ParsedAnswer) -> bool:
    """Sentences that are no wish, question or giving up hold enough to be an answer."""
    signs = ("wants_hint", "gives_up", *_WISHES)
    text, stems = answer.plain.text, set[str]()
    for start, end in answer.judged_sentences:
        sentence = text[start:end]
        if not sentence.rstrip().endswith("?") and not any(_says(each, sentence) for each in signs):
            stems |= content_stems(sentence)
    return len(stems) >= ANSWERING_STEMS


def is_off_topic(answer: ParsedAnswer, rubric: Rubric) -> bool:
    """Hardly any of its content words is of the field or of this question.

    Other languages are left alone: rules for English words say nothing about them.
    """
    stems = answer.stems
    if len(stems) < OFF_TOPIC_STEMS or _says("at_a_loss", answer.plain.text):
        return False
    if not _is_english(answer):
        return False
    near = len(stems & (_terms() | COMMON_STEMS | _subject(rubric)))
    if len(stems) >= CHATTY_STEMS and not stems & _terms():
        return near <= CHAT_SHARE * len(stems)
    return near <= OFF_TOPIC_SHARE * len(stems)


def answers_another(answer: ParsedAnswer, rubric: Rubric) -> bool:
    """It may be of the field, but few words are of this question or of what answers it."""
    stems = {each for each in answer.stems - COMMON_STEMS if each.isalpha()}
    if len(stems) < CHATTY_STEMS or not _is_english(answer) or rubric.kind == "project":
        return False
    return len(stems & _subject(rubric)) <= ANOTHER_SHARE * len(stems)


def _subject(rubric: Rubric) -> frozenset[str]:
    """The stems of the question and of its answer key."""
    parts = [rubric.title, *rubric.asked, rubric.reference, *rubric.harder]
    for criterion in rubric.criteria:
        parts += [criterion.claim, criterion.probe, *criterion.hints]
        parts += [*criterion.accept, *criterion.reject]
        parts += [wrong.claim for wrong in criterion.misconceptions]
    return content_stems(" ".join(parts))


_ANSWERS_NOTHING = frozenset(
    {
        DialogueAct.QUESTION_BACK,
        DialogueAct.OBJECTS,
        DialogueAct.SAID_THAT,
        DialogueAct.TRIES,
        DialogueAct.GIVES_UP,
        DialogueAct.DECLINES,
        *(act for act in DialogueAct if act.name.startswith("WANTS_")),
    }
)
_COSTLY = frozenset(
    {
        DialogueAct.ACCEPTS,
        DialogueAct.ORDER,
        DialogueAct.WANTS_SKIP,
        DialogueAct.WANTS_TO_STOP,
    }
)
"""What would cost the candidate a point or the question."""


def tells_of_own_work(answer: ParsedAnswer) -> bool:
    """The answer says what the speaker decided, did or saw."""
    return _says("own_decision", answer.plain.text)


def says_none(answer: ParsedAnswer) -> bool:
    """The speaker says that they have nothing of the kind to tell."""
    return _says("at_a_loss", answer.plain.text)


def nearness(answer: ParsedAnswer, criterion: Criterion) -> int:
    """How many words of the point it holds; fewest count what it may well have said unheard."""
    said, claim = answer.stems - COMMON_STEMS, content_stems(criterion.claim) - COMMON_STEMS
    may_be_said = recall(claim, said) >= SAID_FROM
    return -1 if may_be_said else len(said & (claim | content_stems(criterion.probe)))


def says_no(answer: ParsedAnswer) -> bool:
    """They have nothing to tell, and tell nothing: honest, however often it is said."""
    is_short = len(answer.stems) < CHATTY_STEMS
    return is_short and says_none(answer) and not commits(answer)


def commits(answer: ParsedAnswer) -> bool:
    """The answer states a number, or something the speaker decided, did or saw."""
    return bool(answer.quantities) or tells_of_own_work(answer)
