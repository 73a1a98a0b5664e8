"""Whose view a candidate tells, and which of their own words they take back.

All functions take text in matching form; spans are of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from interviewer.rubric.text import Span

_OTHERS = (
    r"(?:people|folks|others|they|everybody|everyone|somebody|someone|many|textbooks?|tutorials?"
    r"|blogs?|vendors?|(?:some|most|many|other)(?: \w+)?|(?:a|an|my|our|one|the|your|that)"
    r"(?: \w+){0,2}? (?:colleague|junior|senior|boss|manager|friend|professor|teammate|intern"
    r"|student|tutorial|blog|post|vendor|guy|candidate|lecturer|predecessor|lead)s?"
    r"(?: of (?:mine|ours))?)"
)
_SAYING = (
    r"(?:told|tells?|says?|said|saying|thinks?|thought|believed?s?|claim(?:s|ed)?|argued?s?"
    r"|assumed?s?|insist(?:s|ed)?|worr(?:y|ies|ied)|fear(?:s|ed)?|calls?|called|expect(?:s|ed)?"
    r"|suggest(?:s|ed)?|imagined?s?|swears?|swore|warned|warns?|hears?|heard|concludes?|concluded"
    r"|reckon(?:s|ed)?)"
)
_MISTAKE = (
    r"(?:mistakes?|traps?|pitfalls?|blunders?|gotchas?|misconceptions?|myths?|fallacy|fallacies"
    r"|misreadings?|misunderstandings?|antipatterns?|(?:common|usual|classic|frequent|tempting)"
    r" (?:error|bug)s?)"
)
_REPORTS = re.compile(
    rf"\b{_OTHERS}(?: (?:in|on|from|at) (?:my|our|the) \w+| here| there| out there)?"
    rf"(?: \w+){{0,2}}? {_SAYING}\b"
    r"|\b(?:i|we) (?:used to|once|first|initially|originally|long|always)"
    r" (?:think|thought|believe|believed|assume|assumed|say|said|claim|expect|expected)\b"
    r"|\b(?:at first|when (?:i|we) (?:started|began)|back then|for (?:years|a long time)"
    r"|until \w+(?: \w+)?),? (?:i|we) (?:thought|believed|assumed|expected|said)\b"
    r"|\b(?:i|we)(?:'d| would| should)? (?:doubt|never (?:claim|say|believe|think))\b"
    r"|\b(?:nobody|no one) should (?:think|believe|say|claim)\b"
    r"|\b(?:be|is) (?:wrong|false|a mistake|an error|an illusion) to (?:say|think|believe|claim"
    r"|assume|expect|conclude)\b"
    r"|\b(?:i|we)(?: was| were|'ve been| have been| got|'d been| had been)"
    r"(?: always| often| once)? (?:told|taught|warned|advised)\b"
    r"|\b(?:i|we)(?:'ve| have)? (?:often |sometimes |always )?(?:heard|read)"
    r" (?:that|it|somewhere|everywhere|in (?:a|the|some) (?:blog|paper|post|tutorial))\b"
    r"|\byou(?:'ll)? (?:often|sometimes|always|frequently|commonly|usually|still) (?:hear|read)\b"
    r"|\b(?:is|are|was|were|it's) (?:often|sometimes|commonly|usually|widely|frequently|always"
    r"|still) (?:said|called|claimed|believed|assumed|thought|described|presented|sold|taken)\b"
    r"|\b(?:common|popular|usual|classic|frequent|widespread|old|naive|tempting|wrong|first)"
    r" (?:belief|claim|view|idea|assumption|reading|intuition|reaction) (?:is|was|would be|has it"
    r"|goes)\b"
    rf"|\b{_MISTAKE} (?:[\w'-]+ ){{0,4}}?(?:is|are|was|were|would be|has it|goes|comes? from)\b"
    rf"|\b(?:make|makes|made|making) (?:the|this|that|a) (?:\w+ )?{_MISTAKE} (?:of|that|to)\b"
    r"|\b(?:get|gets|got|getting|go|goes|went|do|does|did) (?:this|it|that|things|them)? ?wrong"
    r" (?:by|when|if|is|because)\b"
    r"|\b(?:beware|watch out|mind you don't|careful (?:of|with|not to)|steer clear of)\b"
    r"|\b(?:one|you|people) (?:might|may|could|would|are tempted to)(?: easily| be tempted to)?"
    r" (?:think|believe|assume|expect)\b|\byou'd (?:think|expect)\b"
    r"|\b(?:tempting|easy|common) to (?:think|believe|assume|say|claim)\b"
    r"|\b(?:supposedly|allegedly)\b|\bcontrary to\b|\bthe (?:myth|belief|misconception) that\b"
)
_OWN_VIEW = re.compile(
    r"\b(?:but|however|though|in fact|in reality|really it|i think|i say|whereas|yet|no,)\b|[;:]"
)
_ENDORSED = re.compile(
    r"\b(?:and (?:i agree|they(?:'re| are) right|(?:that's|it's|that is|it is|this is) (?:true"
    r"|right|correct|so)|rightly|i still do|still do)|which is (?:true|right|correct))\b"
)


def is_reported(sentence: str, start: int, end: int) -> bool:
    """What stands at ``start`` to ``end`` is a view of other people, or one given up since.

    It is not if the candidate takes it up ("and they're right").
    """
    reports = list(_REPORTS.finditer(sentence, 0, end))
    if not reports or _OWN_VIEW.search(sentence, reports[-1].end(), max(start, reports[-1].end())):
        return False
    return not _ENDORSED.search(sentence, end)


_HEADING = re.compile(
    rf"\b(?:{_MISTAKE}|horrors?|landmines?|failure modes?|to avoid|(?:i|we|i'd|we'd)(?: would)?"
    r" avoid|wrong ways?|don'ts|(?:goes|go|went|gets?|going|done|do it|do this) wrong|ruins?"
    r"|spoils?|breaks? (?:it|this|things|them))\b[^.!?;]{0,60}:$"
)


def heads_mistakes(text: str, sentences: Sequence[Span], own: int) -> bool:
    """Sentence ``own`` stands in a list whose heading calls it mistakes ("what goes wrong: …")."""
    for start, end in reversed(sentences[:own]):
        said = text[start:end]
        if said.endswith(":"):
            return bool(_HEADING.search(said))
        if not said.endswith(";"):
            return False
    return False


def tells_of_others(text: str) -> bool:
    """It tells a view of other people, or one given up since, and does not take it up."""
    return bool(_REPORTS.search(text) or _QUOTES_THEM.search(text)) and not _ENDORSED.search(text)


_QUOTES_THEM = re.compile(
    r"\byou (?:just )?(?:said|say|claim(?:ed)?|assumed?|mentioned|suggest(?:ed)?)\b"
    r"|\b(?:the|your) (?:question|premise|statement|paper|article|abstract|author)s?\b"
    r"|\bthe (?:idea|claim|notion|story|belief|view|argument) that\b"
)
_OWN_WORDS_BACK = re.compile(
    r"\b(?:take (?:that|it|this|those) back|take back (?:the|that|my|what)\b"
    r"|(?:scratch|strike) (?:that|this|it|the \w+)"
    r"|leave (?:that|this)(?: part| bit| one)? out"
    r"|i (?:can't|cannot|could not|couldn't) (?:really )?(?:support|back up|stand by)"
    r"|i (?:misspoke|misremember\w*)"
    r"|(?:correct|contradict) myself|let me correct|i (?:mixed|confused|was mixing|got) (?:\w+ "
    r"){0,3}(?:up|confused|wrong|mixed)|i (?:was|am|'m) (?:wrong|mistaken|confused) (?:about|there"
    r"|before|earlier|on)|that (?:was|is)(?:n't| not) (?:right|correct|true|quite right) (?:of me"
    r"|what i said)|what i (?:just )?said (?:was|is) (?:actually )?(?:wrong|not right|not true)"
    r"|forget (?:what i (?:just )?said|that|the last)"
    r"|i (?:should|must|have to|need to) (?:correct|take back|retract)"
    r"|on reflection\b|i meant\b|(?:sorry|wait|hm+|actually)\W+no\b|no,? wait\b)"
)
"""Words that take back one's own, whatever stands around them."""
_CALLS_IT_WRONG = re.compile(
    r"\b(?:that's|that is|that was) (?:actually |just |simply )?(?:wrong|not right|not true)\b"
    r"|(?:\b(?:that|this|it|which)(?:'s| is| was)|[.,;:!-] ?(?:well,? |hm+,? )?|^\W*) ?"
    r"not (?:quite|entirely|strictly) (?:right|true|accurate|correct)\b"
    r"|\b(?:is|was) (?:perhaps |maybe |probably |really |quite )*not (?:quite |really )?the "
    r"(?:right )?word\b"
)
"""Of one's own words it takes them back; of a view of others, or after "if", it doesn't."""
_SECOND_THOUGHTS = re.compile(
    r"(?:^|[.,;:!?-] ?)(?:(?:and|but|so|no|oh|well),? )*"
    r"(?:maybe (?:it|that|we|i|they) (?:was|were|wasn't|weren't|had|did|didn't|only|just)\b"
    r"[^.?!]{0,60}\b(?:not|rather|instead|n't)\b"
    r"|(?:actually|come to think of it|now that i think|on second thought)\W+(?:\w+ ){0,3}?(?:it|"
    r"that|we|i|they|no)\b[^.?!]{0,50}\b(?:not|wasn't|weren't|didn't|rather than|instead)\b"
    r"|(?:hm+|wait|actually|well|sorry|hold on)\b[^?!]{0,60}\b(?:maybe|perhaps|probably) (?:it|that"
    r"|we|i) (?:was|were|had|did)\b)"
)
_SUPPOSED = re.compile(
    r"\b(?:if|when(?:ever)?|whether|unless|where|because|since|why|once|until|in case|even though)"
    r"(?: \w+){0,2} ?$"
)


def withdrawing_words(text: str, sentences: Sequence[Span]) -> Span | None:
    """Where the text takes back something that the speaker said before, None if nowhere.

    To call a view of other people wrong is a statement like any other.
    """
    found = _OWN_WORDS_BACK.search(text) or _SECOND_THOUGHTS.search(text)
    if found:
        return found.span()
    for wrong in _CALLS_IT_WRONG.finditer(text):
        before = _what_it_is_about(text, sentences, wrong.start())
        if not (_SUPPOSED.search(text[: wrong.start()]) or tells_of_others(before)):
            return wrong.span()
    return None


def _what_it_is_about(text: str, sentences: Sequence[Span], at: int) -> str:
    """The sentence up to ``at``, with the one before it."""
    own = next((n for n, (_, end) in enumerate(sentences) if at < end), len(sentences) - 1)
    return text[sentences[max(0, own - 1)][0] : at] if sentences else text[:at]


_FIGURE = (
    r"(?:[~$]?\d+(?:[.,]\d+)*(?:e\d+)?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
    r"|fifteen|sixteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred)"
)
_UNIT = r"(?:[ -]?(?!no\b|wait\b|sorry\b|or\b|make\b|i\b|hm+\b|scratch\b)[a-z%][a-z%/]*)"
_INSTEAD = (
    r"(?:(?:oh|hm+|well|er|uh|um|ah)\W+)*(?:no,? wait|wait,? no|no,? sorry|sorry,? no|no,? no"
    r"|(?:(?<=[,.;:(-] )wait|wait(?=[,.;:-]))|sorry|no(?=[,.:;-])"
    r"|scratch that|strike that|correction|i mean|i meant|or rather"
    r"|make (?:that|it)|let me correct (?:that|myself)|i misspoke"
    r"|(?:that's|that was|that is) (?:wrong|not right))"
)
_CORRECTED = re.compile(
    rf"(?<![\w.])(?P<old>{_FIGURE}{_UNIT}{{0,3}})[\s,.;:()-]*\b{_INSTEAD}\b[\s,.;:()-]*"
    r"(?:(?:it|that|this)(?:'s| is| was| must be| should be)? |make (?:that|it) |rather |more like "
    rf"|about |around |roughly |the (?:right )?(?:figure|number) (?:is|was) )*{_FIGURE}(?!\w)"
)
"""A figure and, right behind it, another in its place."""
_REVOKED = re.compile(
    r"^\W*(?:(?:oh|no|hm+|well|sorry|wait|actually|but|and)\W+)*(?:(?:scratch|strike) (?:that|this"
    r"|it)|(?:i|let me) (?:take|took) (?:that|it|this) back|forget (?:what i (?:just )?said|that)"
    r"|i misspoke|let me correct (?:that|myself)|(?:that's|that is|that was) (?:actually )?(?:wrong"
    r"|not right|not true)|what i (?:just )?said (?:is|was) (?:wrong|not right|not true))\b"
)


_NAMED = re.compile(r"\b(?:take|took) back (?:the|that|my|what)\b[^,;:!?]*?(?=[,;:!?]|\. |\.?$)")


def withdrawn(text: str, sentences: Sequence[Span]) -> Iterator[Span]:
    """What is taken back in the same breath: a figure corrected, or the sentence before."""
    for corrected in _CORRECTED.finditer(text):
        if not tells_of_others(_what_it_is_about(text, sentences, corrected.end("old"))):
            yield corrected.span("old")
    yield from (named.span() for named in _NAMED.finditer(text))
    for before, (start, end) in pairwise(sentences):
        said = text[slice(*before)]
        if _REVOKED.search(text[start:end]) and not tells_of_others(said):
            yield before


_FIGURES = re.compile(rf"(?<![\w.])(?!one\b)(?:{_FIGURE})(?!\w)")
_OBJECT_TAKEN_BACK = re.compile(
    r"\b(?:(?:take|took|taking) back|(?:wrong|mistaken|confused) (?:about|on|with)|forget|scratch"
    r"|strike|leave out|support|back up|stand by|misremember\w*|retract|correct)\b([^,;:]*)"
)


def takes_back_figure(sentence: str, said: str) -> bool:
    """The sentence withdraws or denies a figure that ``said`` holds ("not ten days, 34")."""
    gone = {m["old"] for m in _NOT_FIGURE.finditer(sentence)}
    if _OWN_WORDS_BACK.search(sentence):
        for taken in _OBJECT_TAKEN_BACK.finditer(sentence):
            gone |= set(_FIGURES.findall(taken[1]))
    return bool(gone & set(_FIGURES.findall(said)))


_NOT_FIGURE = re.compile(
    rf"\bnot (?:the )?(?P<old>{_FIGURE})(?!\w)"
    rf"(?={_UNIT}{{0,2}}[\s,;:-]+(?:but|it's|rather|{_FIGURE}))"
)
