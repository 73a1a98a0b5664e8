"""Whether the candidate asserts what a pattern found, or reports, denies, supposes or retracts it.

All functions take text in matching form; ``hit`` is a span of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from interviewer.grading.lexical import COMMON_STEMS, content_stems
from interviewer.grading.stance import heads_mistakes, is_reported
from interviewer.rubric.patterns import compile_pattern
from interviewer.rubric.text import (
    Span,
    has_negator,
    is_denied,
    is_negated_before,
    overlapping,
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
    r"^.{0,24}?\b(?:(?:is|are|was|were|does|do|did|would|will|can|could|should|may|might|has"
    r"|have)(?:n't| not| never)|cannot|won't|can't)\b|^\w*\W?.{0,12}\b(?:nothing|very little)\b"
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
    r"\b(?:not(?! only| just)|no|nothing|never|hardly|barely|scarcely|rarely|seldom|cannot|\w+n't"
    r"|doesnt|dont|isnt|rather than(?= \w+s\b))\b"
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
    if runs_over(found, regex):
        return False
    for n in overlapping(sentences, hit):
        place, following = sentences[n], (*sentences[n + 1 : n + 2], (0, 0))[0]
        lead, sentence = text[slice(*sentences[n - 1])] if n else "", text[slice(*place)]
        start, end = max(0, hit[0] - place[0]), min(place[1], hit[1]) - place[0]
        after = sentence[end:]
        if (
            is_denied(sentence, start)
            or is_reported(sentence, start, end)
            or (lead.endswith(":") and is_reported(lead, len(lead), len(lead)))
            or is_retracted("" if negative else after, text[slice(*following)])
            or (alone and is_denied_after(after, negative=negative))
            or is_called_wrong(sentence, end)
            or heads_mistakes(text, sentences, n)
            or is_supposed(sentence, start, end)
            or is_excepted(lead, sentence[:start])
            or _ASKS.search(sentence)
            or is_left_open(sentence, start, end)
        ):
            return False
    return True


def is_supposed(sentence: str, start: int, end: int) -> bool:
    """What stands there is only tried out and comes out badly ("going all synthetic narrows")."""
    before = _CLAUSE_ENDS.split(sentence[:start])[-1]
    begins = f"{before}{sentence[start:end]}"
    if _IF.search(before) and _MAKES_NO_SENSE.search(sentence, end):
        return True
    if not before.strip() and _AND_IT_FAILS.match(sentence, end):
        return True
    return bool(_TRIED.search(begins) and _COMES_OUT_BADLY.match(sentence, end))


_IF = re.compile(r"\b(?:if|as soon as|once)\b")
_MAKES_NO_SENSE = re.compile(
    r"\b(?:meaningless|useless|pointless|nonsense|garbage|wrong|worthless|too (?:big|small|large"
    r"|high|low|late|early|fast|slow|soon|often|much|many|little))\b"
)
_AND_IT_FAILS = re.compile(
    r"[^,.;:]{0,25},? and (?:then )?(?:you|your|the|it|that|they|there|everything|all|no)\b"
    r"[^,.;:]{0,30}\b(?:means? nothing|breaks?|is (?:gone|lost|off|meaningless|useless|worthless)"
    r"|los[et]s?|fails?|diverges?|crashe?s?|collapses?|ruin(?:s|ed)?|wast(?:e|es|ed))\b"
)
"""What becomes of it is told behind an order to do it ("clip first and the threshold is off")."""
_TRIED = re.compile(r"^\W*(?:\w+ly |just |simply )?(?:if|when|with|by|\w{2,}ing|to)\b")
_COMES_OUT_BADLY = re.compile(
    r"[^.;:]{0,25}?\b(?:(?:would|will|can|could|may|just|only|also|then|it|you|that|soon|quickly"
    r"|always) )*(?:narrow|hurt|harm|break|ruin|destroy|degrade|damage|kill|wreck|(?<!a )waste"
    r"|poison|collapse|diverge|fail|backfire|corrupt|mislead|crash|distort|starve|spoil|los[et]|undo"
    r"|blow)(?:s|es|ed)?\b(?! (?:nothing|little))"
)


def is_excepted(lead: str, before: str) -> bool:
    """It is only granted as an exception ("it doesn't hold for maths; there more data helps")."""
    return bool(_EXCEPT.search(before) or (_NOT_THERE.search(lead) and _THERE.search(before)))


_EXCEPT = re.compile(r"\b(?:except|apart from|other than|exceptions?|save for)\b[^,;:.]{0,40}$")
_NOT_THERE = re.compile(
    r"\b(?:(?:does|do|did)(?:n't| not) (?:hold|apply|work|extend|transfer|cover)|not (?:for|in|on)"
    r"|except\w*|limits?|breaks? down|unless|stops? (?:holding|being true))\b"
)
_THERE = re.compile(
    r"^(?:and |but |so )?(?:there|(?:in|for|with|on) (?:those|these|such|them)(?: \w+)?)\b"
    r"(?!(?:'s| is| are| was| were)\b)"
)


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
    r"|both|merely|just|only|simply|the only)\b"
)


_REASON = re.compile(r"\b(?:because|since)\b")
_BORDER = re.compile(r"\b(?:but|whereas|unless|otherwise|else|or (?:it|they|you|we|there))\b")
"""Words at which a clause begins that is not about the same thing."""


def runs_over(found: str, regex: str) -> bool:
    """What ``regex`` found runs on into another clause without having asked for it.

    A pattern may join a claim with its reason by a gap of any characters, but not by one of words.
    """
    return _swallows(_BORDER, found, regex) or (
        _swallows(_REASON, found, regex) and not _swallows(_REASON, found, regex, by="~")
    )


_CLAUSE = re.compile(r"\b(?:and|or|so|as|which|while|if|then|whereas|because|since)\b|[,;:] ")


def is_plain(
    text: str, sentences: Sequence[Span], spans: Sequence[Span], regexes: Sequence[str], about: str
) -> bool:
    """The hits stand in one sentence and one clause each, and its subject is not another's.

    ``about`` is all that the question and the criterion's texts speak of. Asked of a misconception
    in an answer that makes the very point elsewhere: one may contradict oneself, but plainly.
    """
    if len({n for span in spans for n in overlapping(sentences, span)}) > 1:
        return False
    if any(
        _swallows(_CLAUSE, text[slice(*span)], r) for span, r in zip(spans, regexes, strict=True)
    ):
        return False
    first = min(start for start, _ in spans)
    begin = sentences[overlapping(sentences, spans[0])[0]][0]
    subject = content_stems(_CLAUSE_ENDS.split(text[begin:first])[-1]) - COMMON_STEMS
    return not subject or bool(subject & content_stems(about))


def _swallows(words: re.Pattern[str], found: str, regex: str, by: str = "q") -> bool:
    """With the words blotted out the pattern still matches, so a gap in it took them in."""
    blotted = words.sub(lambda word: re.sub(r"\w", by, word[0]), found)
    return blotted != found and compile_pattern(regex).search(blotted) is not None


def swallows_negator(found: str, regex: str) -> bool:
    """What ``regex`` found holds a negator that it did not ask for ("isn't lossless").

    With the negator blotted out the pattern still matches as far, so a gap took it in.
    """
    if not _VERB_NEGATOR.search(found):
        return False
    pattern = compile_pattern(regex)
    ends = (word.end() for word in _WORD_END.finditer(found))
    shortest = next((found[:end] for end in ends if pattern.search(found[:end])), found)
    if _VERB_NEGATOR.search(shortest):
        return any(pattern.search(each) for each in _negators_blotted(shortest))
    still = pattern.search(without_negators(found))
    return still is not None and still.span() == (0, len(found))


def _negators_blotted(found: str) -> Iterator[str]:
    """The text without any of its negators, and without each one that begins another clause.

    A pattern asks for one ("if we find nothing …") and a gap in it may take in a second one
    ("…, it doesn't prove …"). The answer "no, …" and "not this and never that" deny once.
    """
    yield without_negators(found)
    for before, negator in pairwise(_VERB_NEGATOR.finditer(found)):
        if "," in found[before.end() : negator.start()] and before[0] != "no":
            yield found[: negator.start()] + "q" * len(negator[0]) + found[negator.end() :]


_WORD_END = re.compile(r"\w+(?:'\w+)?|$")
