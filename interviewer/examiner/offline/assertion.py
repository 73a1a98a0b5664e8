"""Whether the candidate asserts what a pattern found, or reports, denies, supposes or retracts it.

All functions take text in matching form; ``hit`` is a span of it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from interviewer.grading.stance import is_reported
from interviewer.rubric.patterns import compile_pattern
from interviewer.rubric.text import (
    Span,
    has_negator,
    is_denied,
    is_negated_before,
    without_negators,
)

_RETRACTS = re.compile(
    r"^\W*(?:but |well,? )?(?:(?:no|nope|wrong|not (?:so|true|really|quite|at all))(?=[,.:;!]|$"
    r"| (?:it|that|they|this|the|you) )"
    r"|(?:that|this|it|they|which)(?:'s| is| was|'re| are)? (?:just |simply |plainly |also )?"
    r"(?:wrong|false|untrue|incorrect|nonsense|a (?:myth|mistake|misconception|fallacy)|mistaken"
    r"|not (?:true|so|right|the case|correct|how it (?:works|is)))\b(?! that| to)"
    r"|(?:that|this|it) (?:isn't|wasn't) (?:true|so|right|the case|correct|how it (?:works|is))\b"
    r"(?! that| to)"
    r"|(?:it|they|that|this|he|she|you|we|i|there) (?:isn't|aren't|wasn't|weren't|doesn't|don't"
    r"|didn't|can't|won't|haven't|hasn't|does not|do not|did not|is not|are not|cannot|can|does"
    r"|do)(?=\W*(?:[,.:;!]|$))"
    r"|on the contrary\b|quite the (?:opposite|reverse|contrary)\b|the (?:opposite|reverse) is\b"
    r"|i (?:disagree|object|beg to differ|don't (?:think so|agree|buy (?:it|that)))\b"
    r"|i(?:'d| would) (?:object|disagree)\b|wait,? no\b|sorry,? no\b|scratch that\b"
    r"|(?:utter |complete |total )?(?:nonsense|rubbish|wishful thinking)\b)"
)
_LATER = re.compile(r"(?:,|-) ?(?:but|and|which|so)? ?|\b(?:but|and|which)\b ")
_CLAUSE_ENDS = re.compile(
    r"[,;:.!?()]|\b(?:and|or|so|but|because|since|while|whereas|otherwise|which|then)\b"
)
_DENYING_VERB = re.compile(
    r"^.{0,24}?\b(?:(?:is|are|was|were|does|do|did|would|will|can|could|should|has|have)"
    r"(?:n't| not| never)|cannot|won't|can't)\b|^\w*\W?.{0,12}\b(?:nothing|very little)\b"
)
_CALLED_WRONG = re.compile(
    r"^.{0,24}?(?:\b(?:is|are|would be)|'s) (?:\w+ )?(?:wrong|false|mistaken|nonsense"
    r"|untrue|a (?:myth|mistake|misconception|fallacy|trap)|no (?:good|fix|solution|cure|proof"
    r"|use|help|option|evidence|guarantee|substitute)|useless|too little|out of the question"
    r"|off the table)\b"
)
_ASKS = re.compile(
    r"^(?:so |and |but |well,? )?(?:does|do|is|are|can|could|would|will|should|why)\b.*\?$"
)
_UNCOMMITTED = re.compile(
    r"\b(?:i|we) (?:can't|cannot|couldn't|could not) (?:really |honestly |actually |even )?"
    r"(?:say|tell|add|give|remember|recall|quote)\b"
    r"|\b(?:i|we) (?:don't|do not|didn't|did not) (?:really |honestly )?(?:know|remember|recall"
    r"|measure)\b"
    r"|\b(?:i|we)(?:'m| am|'re| are) not sure\b|\bno idea\b"
)
_OTHER_CLAUSE = re.compile(r"[,;:]|\b(?:but|because|since|so)\b")
_VERB_NEGATOR = re.compile(
    r"\b(?:not(?! only| just)|no|nothing|never|cannot|\w+n't|doesnt|dont|isnt)\b"
)


_QUOTED = re.compile(
    r"^\W*(?:but )?(?:(?:the|that|this) (?:idea|claim|notion|story|belief|view|statement"
    r"|assumption) that|to (?:say|claim|think|believe|assume)|saying|claiming|assuming|believing)\b"
)
_IS_WRONG = re.compile(
    r"\b(?:is|was|would be|'s) (?:\w+ )?(?:wrong|false|mistaken|nonsense|untrue|a (?:myth|mistake"
    r"|misconception|fallacy|lie))\W*$"
)


def is_called_wrong(sentence: str, end: int) -> bool:
    """What ends at ``end`` is only quoted to be called wrong ("the idea that … is wrong")."""
    return bool(_QUOTED.search(sentence) and _IS_WRONG.search(sentence, end))


def is_retracted(after: str, following: str) -> bool:
    """The rest of the sentence, or the start of the following one, takes back what was said."""
    if _RETRACTS.search(following):
        return True
    return any(_RETRACTS.search(after[turn.end() :]) for turn in _LATER.finditer(after))


def is_denied_after(after: str, *, negative: bool) -> bool:
    """The verb behind the hit denies it ("… proves nothing", "… isn't the same").

    Where the hit is ``negative`` itself, only calling it wrong does.
    """
    end = _CLAUSE_ENDS.search(after)
    clause = after[: end.start()] if end else after
    return bool(_CALLED_WRONG.search(clause) or (not negative and _DENYING_VERB.search(clause)))


def is_left_open(sentence: str, start: int, end: int) -> bool:
    """What stands at ``start`` to ``end`` is what the candidate says they can't tell."""
    unsure = list(_UNCOMMITTED.finditer(sentence, 0, end))
    return bool(unsure) and not _OTHER_CLAUSE.search(sentence, unsure[-1].end(), start)


def is_asserted(
    text: str, sentences: Sequence[Span], hit: Span, regex: str, *, claim: str, alone: bool
) -> bool:
    """The hit of ``regex`` is what the candidate says is so.

    ``claim`` is what the hit would contradict, in matching form; ``alone`` if the pattern is the
    whole misconception rather than one part of it: only then does the verb behind the hit deny it.
    """
    found = text[slice(*hit)]
    negative = has_negator(found)
    if is_negated_before(text, hit) or is_another_word(text, hit):
        return False
    if negative and (swallows_negator(found, regex) or denies_something_else(found, regex, claim)):
        return False
    for before, place, following in zip(
        ((0, 0), *sentences), sentences, (*sentences[1:], (0, 0)), strict=False
    ):
        if place[0] >= hit[1] or place[1] <= hit[0]:
            continue
        lead, sentence = text[slice(*before)], text[slice(*place)]
        start, end = max(0, hit[0] - place[0]), min(place[1], hit[1]) - place[0]
        after = sentence[end:]
        if (
            is_denied(sentence, start)
            or is_reported(sentence, start, end)
            or (lead.endswith(":") and is_reported(lead, len(lead), len(lead)))
            or is_retracted("" if negative else after, text[slice(*following)])
            or (alone and is_denied_after(after, negative=negative))
            or is_called_wrong(sentence, end)
            or _ASKS.search(sentence)
            or is_left_open(sentence, start, end)
        ):
            return False
    return True


def is_another_word(text: str, hit: Span) -> bool:
    """The hit ends within a word that says something else ("harm" in "harmless").

    "Big" in "bigger than" is one, too: what is compared isn't said to be so.
    """
    return text[hit[1] - 1 : hit[1]].isalpha() and bool(_ANOTHER_WORD.match(text, hit[1]))


_ANOTHER_WORD = re.compile(r"(?:less(?:ly|ness)?|ful(?:ly)?|free)\b|[a-z]?e?r than\b")


def denies_something_else(found: str, regex: str, claim: str) -> bool:
    """The hit begins with a negation that is of another thing ("… is not part of the 112").

    With what narrows the negation blotted out the pattern still matches, so it did not ask for it.
    Nothing is narrowed by words that are the claim's own.
    """
    narrowed = _NARROWED.search(found)
    if not narrowed or narrowed[0] in claim:
        return False
    blotted = re.sub(r"\w+", "q", narrowed[0]).join(
        (found[: narrowed.start()], found[narrowed.end() :])
    )
    return compile_pattern(regex).search(blotted) is not None


_NARROWED = re.compile(
    r"(?<=not |n't |ver )(?:(?:a |an? \w+ )?part of|(?:included|counted|contained|hidden) in"
    r"|from|for|by|with|at|because(?: of)?|due to|until|before|after|always|necessarily|all|every"
    r"|both|merely|the only)\b"
)


def swallows_negator(found: str, regex: str) -> bool:
    """What ``regex`` found holds a negator that it did not ask for ("isn't lossless").

    With the negator blotted out the pattern still matches, so a gap in it took the negator in.
    """
    pattern = compile_pattern(regex)
    negators = list(_VERB_NEGATOR.finditer(found))
    for end in (match.end() for match in _WORD_END.finditer(found)):
        if pattern.search(found[:end]):
            return any(n.end() <= end for n in negators) and bool(
                pattern.search(without_negators(found[:end]))
            )
    return False


_WORD_END = re.compile(r"\w+(?:'\w+)?|$")
