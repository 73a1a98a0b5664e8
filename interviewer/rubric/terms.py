"""Named groups of synonyms for use in patterns.

``{grow}`` in a pattern matches "grows", "increases", "goes up" …; a rubric may define terms of its
own under ``terms``, building on the shared ones.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping
from typing import Any

from interviewer.content.problems import FieldPath, FieldsError

LONGEST_PATTERN = 8000
"""Characters, as for any text in a rubric."""

_ONES = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
_TEENS = "thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen"
_TENS = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"

SHARED: Mapping[str, str] = {
    "number": rf"\b(?:\d[\d.,]*|{_ONES}|{_TEENS}|{_TENS}|hundreds?|thousands?|millions?|billions?)",
    "grow": r"\b(?:grow\w*|grew|increas\w*|ris(?:e|es|ing)|rose|goes? up|going up|went up|climb\w*"
    r"|larger|bigger|higher|more|scales? up|blow\w* up|balloon\w*|explod\w*|swell\w*)",
    "shrink": r"\b(?:shr[iau]nk\w*|decreas\w*|drop\w*|fall\w*|fell|goes? down|going down|went down"
    r"|smaller|lower\w*|less|fewer|declin\w*|reduc\w*|cut\w*|decay\w*|vanish\w*)",
    "large": r"\b(?:large\w*|big\w*|huge|high\w*|great\w*|wide\w*|enormous|massive)",
    "small": r"\b(?:small\w*|tiny|little|low\w*|narrow\w*|minor|negligible)",
    "same": r"\b(?:same|equal\w*|identical\w*|unchanged|constant|match\w*)",
    "different": r"\b(?:differ\w*|distinct|another|other|unlike|separate\w*)",
    "every": r"\b(?:each|every|all|per)",
    "only": r"\b(?:only|just|solely|merely|nothing but|alone)",
    "no": r"\b(?:no|not|never|without|none|nothing|neither|nor|hardly|\w+n't|doesnt|dont|isnt"
    r"|cant)\b",
    "because": r"\b(?:because|since|as|so that|due to|that's why|reason|hence|therefore|which is"
    r" why)",
    "keep": r"\b(?:keep\w*|kept|stay\w*|remain\w*|hold\w*|held|stor\w*|retain\w*"
    r"|sav(?:e|es|ed|ing))",
    "remove": r"\b(?:remov\w*|drop\w*|delet\w*|discard\w*|filter\w*|exclud\w*|get rid|skip\w*"
    r"|(?:throw\w*|leav\w*|tak\w*) (?:(?:it|them|those|that|these) (?:\w+ )?)?out|left out"
    r"|throw\w* (?:(?:it|them|those|that|these) (?:\w+ )?)?away)",
    "compare": r"\b(?:compar\w*|versus|vs|against|relative to|side by side|a/b|ablat\w*)",
    "measure": r"\b(?:measur\w*|track\w*|monitor\w*|watch\w*|log\w*|plot\w*|check\w*|look\w* at)",
    "split": r"\b(?:split\w*|shard\w*|partition\w*|divid\w*|slic\w*|cut\w*|distribut\w*|spread\w*)",
    "gather": r"\b(?:gather\w*|collect\w*|assembl\w*|reassembl\w*|pull\w*|all-?gather\w*)",
    "send": r"\b(?:send\w*|sent|transfer\w*|communicat\w*|exchang\w*|ship\w*|travel\w*|mov\w*)",
    "gpu": r"\b(?:gpus?|cards?|devices?|ranks?|accelerators?|chips?|workers?|[ahbv]\d00s?)",
    "node": r"\b(?:nodes?|machines?|servers?|hosts?|box(?:es)?)",
    "memory": r"\b(?:memory|hbm|vram|ram|footprint|bytes?|gigabytes?|gigs?|gb)",
    "cost": r"\b(?:cost\w*|expens\w*|price\w*|pay\w*|compute|flops?|gpu-hours?|overhead)",
    "slow": r"\b(?:slow\w*|lag\w*|wait\w*|stall\w*|idle\w*|bottleneck\w*|latency)",
    "fast": r"\b(?:fast\w*|quick\w*|speed\w*|throughput|rapid\w*)",
    "gradient": r"\b(?:gradients?|grads?)",
    "weights": r"\b(?:weights?|params?|parameters?)",
    "optimizer": r"\b(?:optimi[sz]ers?|adam\w*|moments?|momentum)",
    "loss": r"\b(?:loss\w*|objective|cross-?entropy|nll)",
    "learn": r"\b(?:learn\w*|train\w*|fit\w*|optimi[sz]\w*|updat\w*)",
    "data": r"\b(?:data|dataset|corpus|corpora|documents?|docs?|text|examples?|samples?)",
    "model": r"\b(?:models?|network|net|policy|checkpoint)",
    "unstable": r"\b(?:unstable|instab\w*|diverg\w*|spik\w*|nans?|blow\w* up|blew up|explod\w*)",
    "i": r"\b(?:i|we|i'd|we'd|i've|we've|i'll|we'll|my|our)\b",
}

_REFERENCE = re.compile(r"(?<!\\)\{([a-z][a-z0-9_-]*)\}")
_MATCHED = ("criteria", "escalations")
_FIELDS = ("patterns", "partly")


def expanded(regex: str, terms: Mapping[str, str]) -> str:
    """The pattern with its terms expanded.

    Raises ValueError on an unknown name, or if the result is too long.
    """
    room = LONGEST_PATTERN

    def words_of(match: re.Match[str]) -> str:
        nonlocal room
        name = match[1]
        if name not in terms:
            raise ValueError(_unknown(name, terms))
        room -= len(terms[name])
        if room < 0:
            raise ValueError(
                f"has more than {LONGEST_PATTERN} characters once its terms are expanded; use fewer"
            )
        return terms[name]

    return _REFERENCE.sub(words_of, regex)


def _unknown(name: str, terms: Mapping[str, str]) -> str:
    close = difflib.get_close_matches(name, sorted(terms), n=1)
    meant = f"write {{{close[0]}}}" if close else f"use one of {', '.join(sorted(SHARED))}"
    return f"there is no term {{{name}}}: {meant}, or define it under 'terms' before using it"


def with_terms(rubric: Any) -> Any:
    """A rubric as read from its file, with the terms in all patterns expanded.

    Raises FieldsError on unknown terms. Data not shaped like a rubric is left to the model.
    """
    own = rubric.get("terms", {}) if isinstance(rubric, dict) else None
    if not isinstance(own, dict) or not all(isinstance(each, str) for each in own.values()):
        return rubric
    terms = dict(SHARED)
    for name, regex in own.items():
        try:
            terms[str(name)] = f"(?:{expanded(regex, terms)})"
        except ValueError as error:
            raise FieldsError((("terms", str(name)), str(error))) from error
    matched = {field: rubric[field] for field in _MATCHED if field in rubric}
    try:
        filled = _walk(matched, terms, inside=False)
    except ValueError as error:
        # Only now look for where they are: nearly every file has none.
        raise FieldsError(*_faults(matched, terms, (), inside=False)) from error
    return rubric | {"terms": {}} | filled


def _walk(value: Any, terms: Mapping[str, str], *, inside: bool) -> Any:
    """The value with the terms expanded in every text below a pattern field."""
    if isinstance(value, dict):
        return {k: _walk(v, terms, inside=inside or k in _FIELDS) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_walk(each, terms, inside=inside) for each in value]
    return expanded(value, terms) if inside and isinstance(value, str) else value


def _faults(
    value: Any, terms: Mapping[str, str], where: FieldPath, *, inside: bool
) -> Iterator[tuple[FieldPath, str]]:
    """The patterns that cannot be expanded, with what to do about each."""
    if isinstance(value, dict):
        for key, each in value.items():
            yield from _faults(each, terms, (*where, str(key)), inside=inside or key in _FIELDS)
    elif isinstance(value, list | tuple):
        for index, each in enumerate(value):
            yield from _faults(each, terms, (*where, index), inside=inside)
    elif inside and isinstance(value, str):
        try:
            expanded(value, terms)
        except ValueError as error:
            yield where, str(error)
