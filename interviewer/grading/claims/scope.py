"""What an amount is per: a step, a device, a sequence; a total is per nothing."""

from __future__ import annotations

import re
from enum import StrEnum


class Scope(StrEnum):
    """What is meant by "each" or "a" beside an amount."""

    STEP = "step"
    DEVICE = "device"
    SEQUENCE = "sequence"


_NOUNS = {
    Scope.STEP: r"steps?|updates?|iterations?|iters?|its?(?=/)|batch(?! (?:size|of))",
    Scope.DEVICE: r"G|gpus?|cards?|devices?|accelerators?|chips?|boards?|ranks?|replicas?|workers?",
    Scope.SEQUENCE: r"sequences?|samples?|examples?|documents?|rows?",
}
_UNIT = "|".join(f"(?P<{scope}>{nouns})" for scope, nouns in _NOUNS.items())
_KIND = (
    r"(?:(?:optimi[sz]er|training|gradient|update|weight|parameter|global|such|data parallel|ppo"
    r"|grpo|dpo|sft|rl|train|inner|outer|pretraining"
    r"|full|complete|logical|real) )*"
)
_ONE = r"(?:an?|each|every|one|N|any)(?: single| N| given| individual)?"
_ONE_UNIT = rf"(?:{_ONE} of (?:the|our|my|these|those)(?: N)? {_KIND}|{_ONE} {_KIND}(?!\w+s\b))"
_CLAUSE, _SENTENCE = r"[^NBTMPX,.;:!?]{0,45}?", r"[^NBTMPX.;:!?]{0,45}"
_AFTER = re.compile(
    rf"^(?:{_CLAUSE}|[,.!;:] (?:and )?(?:that|this|which|it)(?:'s| is| was)(?: [a-z]+){{0,3}}? )"
    rf"(?:(?:\bper |/ ?){_KIND}|\b{_ONE_UNIT})(?:{_UNIT})\b(?! (?:count|parallel|of [NB]))"
)
_BEFORE = re.compile(
    rf"(?:(?:^|[.,;:!?] (?:and |so |but )?|\band )(?:per|(?:on|in|for|at|into) {_ONE}|each|every) "
    rf"{_KIND}(?!\w+s\b)(?:{_UNIT})\b{_SENTENCE}"
    rf"|\b{_ONE_UNIT}(?:{_UNIT.replace('P<', 'P<one_')})\b(?! count)[^NBTMPX.;:!?,]{{0,45}}(?:\? "
    rf")?)$"
)
_VERB = (
    r"(?:took|takes?|taking|lasted|lasts|consumed|consumes|saw|sees|had|has|held|holds|was|is|were"
    r"|being|of|with|at|cost|costs|needed|needs|covered|covers|processed|processes|contained"
    r"|contains|carried|got|gets|came|ran|ate|worth|spans?|amounted|used|uses|did|does|contributed"
    r"|brought|adds?|added|seeing|averaged|clocked|swallowed|ingested|chewed|fed|packed|around)"
)
_EACH = re.compile(
    r"(?:\beach|\bevery(?: single)? N|\beach N|\b(?:any )?N(?= of (?:them|those|these|which)\b))"
    rf"(?: of (?:them|those|these|which))?,? (?:(?:[a-z]+ly )?{_VERB}(?: [a-z']+){{0,3}} )?$"
    r"|\b(?:in|for|of|per) (?:each|every N|N of (?:them|those|these))(?: of (?:them|those"
    r"|these))?[?:] $"
)
_EACH_AFTER = re.compile(
    r"^(?: [a-z]+){0,3},? (?:(?:in|into|for|of|to|at) (?:each|every N|any) of (?:them|those|these))"
    r"|^(?: [a-z]+)?,? (?:each|apiece|a piece|a pop|(?:in|for|of) (?:each|any"
    r"|every)(?: single)?(?: N)?"
    r"(?: of (?:them|those|these))?)(?! ?(?:step|update|iteration|G\b|gpu|card|device|node"
    r"|sequence|sample|day|second|epoch|of\b|N|T))"
)
_COUNTED = re.compile(
    r"\b(?:(?P<step>steps|updates|iterations|iters|batches)|(?P<device>G|gpus|cards|devices"
    r"|accelerators|chips|ranks|replicas|workers)|(?P<sequence>sequences|samples|documents"
    r"|examples))\b"
)
_LOOK_BACK = 400


def scope_of(text: str, place: int, before: str) -> Scope | None:
    """What the amount at ``place`` of a sentence in shorthand is per; None for a total.

    ``before`` is the shorthand of the sentences before it, in which "each of those" finds what it
    speaks of.
    """
    ahead, after = text[:place], text[place + 1 :]
    if match := _AFTER.search(after):
        return _named(match)
    if _EACH.search(ahead[-_LOOK_BACK:]) or _EACH_AFTER.search(after):
        counted = list(_COUNTED.finditer(f"{before} {ahead}"[-_LOOK_BACK:]))
        if counted:
            return _named(counted[-1])
    match = _BEFORE.search(ahead[-_LOOK_BACK:])
    return _named(match) if match else None


def _named(match: re.Match[str]) -> Scope:
    return Scope(str(match.lastgroup).removeprefix("one_"))
