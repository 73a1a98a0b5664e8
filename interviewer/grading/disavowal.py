"""What a candidate writes down only to say that it is false, doubtful or somebody's guess.

All functions take text in matching form; spans are of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from interviewer.rubric.text import Span

_UNTRUE = r"untrue|incorrect|nonsense|not (?:true|so|right|correct)"
_FALSE = rf"(?:false|wrong|{_UNTRUE})"
_IDEA = r"(?:idea|claim|notion|belief|view|statement|theory|suggestion)"
_TELL = r"(?:think|believe|say|claim|assume|suggest|conclude|accept|agree)"
_FRAMES = re.compile(
    rf"\b(?:nobody|no one|no-one) (?:should|would|could|can) (?:ever )?{_TELL}(?: that)?\b"
    rf"|\b(?:a mistake|an error|{_FALSE}|mistaken) to {_TELL}(?: that)?\b"
    rf"|\b(?:disagree|differ) (?:with the {_IDEA} )?that\b"
    rf"|\b(?:i|we)(?:'d| would| do)? (?:doubt|refuse to {_TELL})(?: the {_IDEA})?"
    r"(?: that| whether| if)?\b"
    rf"|\b(?:i|we)(?:'d| would| do)? (?:deny|reject|dispute)(?: the {_IDEA})? that\b"
    rf"|\b(?:i|we) (?:can|could) (?:hardly|scarcely|barely) {_TELL}(?: that)?\b"
    rf"|\bnever (?:would|will|did) (?:i|we) {_TELL}(?: that)?\b"
    rf"|\bbet against (?:the {_IDEA} )?that\b"
    r"|\bthere(?:'s| is| was)(?: \w+)?(?: no| zero| 0 ?%| zero percent| not the slightest)"
    r" (?:evidence|proof|chance|indication|reason to believe)(?: at all)? that\b"
    rf"|\bnothing to the {_IDEA} that\b"
    rf"|\b(?:far from|anything but) (?:true|right|correct|{_UNTRUE}) that\b"
    r"|\b(?:been|was|were|is|are) (?:refuted|disproved|disproven|debunked|shown to be wrong) that\b"
    rf"|\b(?:a|the) (?:\w+ )?(?:myth|misconception|fallacy|lie) (?:is )?that\b"
    rf"|\bcontrary to (?:the {_IDEA} )?that\b"
    r"|\b(?:i|we)(?:'m| am|'re| are|'ve| have)?(?: really| honestly)? (?:(?:no|not any) idea"
    r"|don't know|do not know|can't say|couldn't say|not sure) (?:whether|if)\b"
    r"|\b(?:one|you|someone|somebody) (?:could|might|may|can) (?:ask|wonder) (?:whether|if)\b"
    r"|\b(?:you|the interviewer) (?:probably |presumably |surely )?(?:wants?|expects?|hopes?)"
    r" (?:me )?to (?:hear|say) that\b"
    r"|\bthe (?:rubric|answer key|model answer|marking scheme) (?:\w+ )?(?:says|wants|expects|has)"
    r"(?: it)? that\b"
    r"|\bin a (?:world|universe) (?:where|in which) everything is [\w ]+,"
    r"|^\W*(?:by no means|rarely,? if ever,? is it so that)\b"
    r"|\bes (?:stimmt nicht|ist (?:falsch|nicht wahr)),? dass\b"
    r"|\b(?:il est faux|ce n'est pas vrai) que\b|\b(?:no es (?:cierto|verdad)|es falso) que\b"
    r"|\b(?:неверно|неправда),? что\b"
)
"""Words that deny or doubt the rest of their sentence."""
_TURN = re.compile(r"\b(?:but|however|rather|instead|because|since)\b|[;:]")

_TAILS = re.compile(
    r"(?:,? (?:said|says) no[- ]?one(?: ever)?|,? as if|, not(?=!)|, maybe not|, perhaps not"
    r"|,? but (?:they|he|she|people)(?:'re| are| is|'s) (?:all )?wrong"
    r"|,? until i (?:learned|learnt|knew) better"
    r"|,? but (?:i|we) (?:could|can)(?:n't| not) (?:say|tell|judge)(?: (?:it )?myself)?"
    r"|\" (?:is|would be) what (?:a|the) (?:bad|weak|poor) candidate (?:says|would say)"
    rf"|[ .](?:\({_FALSE}\)|\[{_FALSE}\]|- {_FALSE}))[.!\"') ]*$"
)
"""Ends of a sentence that take all of it back."""

_VERDICT = re.compile(
    rf"^\W*(?:(?:that's|that is|all|but|it's) )*(?:{_FALSE}|no|nope|just kidding|not really"
    r"|not at all|kidding|nothing could be further from the truth)[\W]*$"
)
"""A sentence that is nothing but the word that the one before is false."""

_LABEL = re.compile(
    rf"^\W*(?:{_FALSE}|myth|misconception|lie|以下说法是错误的)(?: \d+)?:$"
    rf"|^[^.!?;]{{0,60}}\b(?:statements?|claims?|points?|things?|following|sentences?)\b"
    rf"[^.!?;]{{0,40}}\b(?:is|are|was|were|all|both) {_FALSE}:$"
    rf"|^[^.!?;]{{0,20}}\b(?:wrong|false|mistaken) (?:claims?|statements?|beliefs?|ideas?)\b"
    r"[^.!?;]{0,40}:$"
    r"|^\W*(?:some |a few |the )?(?:common |usual |frequent )?"
    r"(?:myths|misconceptions|lies|fallacies)[^.!?;]{0,40}:$"
    rf"|\bnone of (?:these|this|the following|those|that) (?:is|are) (?:true|right|correct):$"
    r"|\b(?:would|will|should) (?:not|never) (?:say|claim)[^.!?;]{0,20}:$"
)
"""What stands before a false statement, or heads a list of them."""
_ITEM = re.compile(r"^(?:[-*•+]|\|)")
_NUMBER = re.compile(r"^\(?\d{1,2}[.)]$")

_STRUCK = re.compile(
    r"~~[^~]+~~|<(?P<tag>del|s|strike)>.{0,600}?</(?P=tag)>|[❌✗✘]+[^❌✗✘.!?]*"
    r"|(?:^|\| )[^|]+\| ?(?:false|wrong|✗|❌) ?\|"
)
"""Text that is struck out, crossed or marked false in a table."""

_ALL_BEFORE = re.compile(
    r"(?:^|[,;:!] ?|\b(?:no|please|actually|wait),? )(?:please )?(?:scratch|forget|ignore|strike)"
    r" (?:all|everything|every word)(?: of)? (?:that|this|it|i(?:'ve)? (?:just )?said|above)\b"
    rf"|\b(?:everything|all|nothing|none)\b(?: of)?(?: (?:that|this|it|what|which|the above))? ?"
    r"(?:i(?:'ve| have)? (?:just )?said|(?:i )?wrote(?: above)?|above) (?:is|was|are) (?:\w+ )?"
    rf"(?:{_FALSE}|true|right|correct|a lie|lies)\b|^that was the lie\b"
)
_ALL_AFTER = re.compile(
    rf"\b(?:everything|all|nothing)\b(?: that)? i(?:'ll| will| am going to)? (?:now )?say"
    rf" (?:next|from (?:here|now) on|now) (?:is|will be) (?:{_FALSE}|true|a lie)\b"
    r"|\bi(?:'m| am) (?:now )?going to lie\b"
    r"|\bthe (?:exact )?opposite of (?:this|that|what follows|the following) is (?:true|right)\b"
)

_QUOTED = re.compile(
    r"\b(?:says?|said|wrote|writes|claims?|claimed|read (?:this|that|it)(?: \w+){0,2}): \"[^\"]+\""
    r"(?!\W*(?:and )?(?:i agree|(?:he|she|they|that)(?:'s|'re| is| are) right))"
)
"""Somebody else's words, in quotation marks and without a word of agreement behind them."""

_QUESTION = re.compile(
    r"^\W*(?:(?:so|and|but|well),? )?(?:is it (?:that|so that|true that|the case that)"
    r"|(?:could|can|might|may) it be that|who (?:says|said|claims)(?: that)?|what if"
    r"|does it mean that)\b[^?]*\?\W*$"
)
"""A question that asks for the point instead of making it."""

_SELF_GRADE = re.compile(
    r"\bmy (?:own )?(?:answer|solution|explanation) (?:is|was|would be|should count as)\b"
    r"[^.!?]{0,30}\b(?:correct|complete|right|perfect|full)\b"
    r"|\b(?:i have|i've) (?:handled|covered|addressed|dealt with|mentioned) (?:it|this|that|them)"
    r"\W*$"
)
"""Praise of one's own answer instead of an answer."""


def disavowed(text: str, sentences: Sequence[Span]) -> tuple[Span, ...]:
    """The spans that are not the candidate's own word on how things are, in order."""
    found = [*_set_apart(text), *_in_lists(text, sentences)]
    for number, (start, end) in enumerate(sentences):
        said = text[start:end]
        found += [(start + a, start + b) for a, b in _in_frames(said)]
        following = text[slice(*sentences[number + 1])] if number + 1 < len(sentences) else ""
        if _is_taken_back(said) or _VERDICT.search(following):
            found.append((start, end))
        if _ALL_BEFORE.search(said):
            found.append((0, end))
        if _ALL_AFTER.search(said):
            found.append((start, len(text)))
    return tuple(_merged(found))


def _merged(spans: Sequence[Span]) -> Iterator[Span]:
    """The same in order, none overlapping another."""
    begun = ended = -1
    for start, end in sorted(spans):
        if start > ended:
            if ended > begun:
                yield begun, ended
            begun, ended = start, end
        ended = max(ended, end)
    if ended > begun:
        yield begun, ended


def _is_taken_back(said: str) -> bool:
    return bool(_TAILS.search(said) or _QUESTION.search(said) or _SELF_GRADE.search(said))


def _in_frames(said: str) -> Iterator[Span]:
    """From behind each denying frame to the end of the sentence, or to a "but" or "because"."""
    for frame in _FRAMES.finditer(said):
        turn = _TURN.search(said, frame.end())
        yield frame.end(), turn.start() if turn else len(said)


def _set_apart(text: str) -> Iterator[Span]:
    yield from (struck.span() for struck in _STRUCK.finditer(text))
    yield from (quoted.span() for quoted in _QUOTED.finditer(text))


def _in_lists(text: str, sentences: Sequence[Span]) -> Iterator[Span]:
    """What a label calls false: the sentence behind it, or the whole list that it heads."""
    after = 0
    for number, (start, end) in enumerate(sentences):
        if number < after or not _LABEL.search(text[start:end]):
            continue
        after = number + 1
        while after < len(sentences) and _continues(text, sentences, number + 1, after):
            after += 1
        yield end, sentences[after - 1][1]


def _continues(text: str, sentences: Sequence[Span], first: int, own: int) -> bool:
    """Sentence ``own`` belongs to the list that begins with sentence ``first``."""
    return own == first or all(
        _ITEM.search(text[slice(*sentences[n])]) or _NUMBER.search(text[slice(*sentences[n])])
        for n in (own, first)
    )
