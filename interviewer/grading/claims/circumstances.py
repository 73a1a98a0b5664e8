"""What was said about a run besides its numbers, as far as it changes a sum."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum


class Circumstance(StrEnum):
    """A fact about a run that excuses numbers, or makes them binding."""

    ADAM = "adam"
    """All weights in mixed precision with Adam: sixteen bytes a parameter."""
    FULL = "full"
    """All weights were trained, the optimizer not named."""
    SHARDED = "sharded"
    UNSHARDED = "unsharded"
    ZERO_1 = "zero_1"
    ZERO_2 = "zero_2"
    SPLIT = "split"
    """Tensor, pipeline or context parallel: data-parallel ranks are fewer than devices."""
    ADAPTERS = "adapters"
    FROZEN = "frozen"
    LEAN = "lean"
    """States smaller than Adam's in mixed precision: 8-bit, Adafactor, pure BF16, quantised."""
    OFFLOADED = "offloaded"
    FAILED = "failed"
    EXPERTS = "experts"
    EIGHT_BIT_MATHS = "eight_bit_maths"
    RAMPED = "ramped"
    STAGED = "staged"
    PACKED = "packed"
    PARTIAL = "partial"
    """Only part of the data, or of the run, is spoken of."""


BINDING = (Circumstance.ADAM, Circumstance.FULL, Circumstance.SHARDED, Circumstance.UNSHARDED)
"""Those that make numbers binding; the others excuse, and do so even where only thought of."""


class Stage(StrEnum):
    """The kind of training; numbers of one say nothing about another's."""

    PRETRAINING = "pretraining"
    CONTINUED = "continued"
    FINE_TUNING = "fine_tuning"
    REWARD = "reward"
    PREFERENCE = "preference"


_CUES: dict[Circumstance, str] = {
    Circumstance.ADAM: r"mixed precision|adamw?\b|fp32 (?:master|adam|moments|optimi[sz]er|copy)"
    r"|master (?:copy|copies|weights)|(?:both|two|adam) moments|sixteen bytes|16 bytes",
    Circumstance.FULL: r"(?:weights?|param\w*|grad\w*|optimi[sz]er)(?: states?)?, (?:weights?"
    r"|param\w*|grad\w*"
    r"|optimi[sz]er)(?: states?)?,? and (?:weights?|param\w*|grad\w*|optimi[sz]er)|(?:full|fully"
    r"|complete(?:ly)?) (?:fine ?tun|parameter|param|training)\w*"
    r"|full ft\b|sft in full|(?:all|every|each|whole)(?: of)?(?: (?:the|its))?(?: \w+){0,3} "
    r"(?:weights?|param\w*|layers?|one of its)|whole model|end to end|from scratch"
    r"|pre ?train(?!ed (?:model|checkpoint|weights))",
    Circumstance.SHARDED: r"(?:zero(?: stage)?|stage) (?:3|three)\b(?! of training)|zero iii\b"
    r"|fsdp|fully ?shard\w*"
    r"|shard(?:ed|ing)|hsdp",
    Circumstance.UNSHARDED: r"(?:plain|pure|just|vanilla|simple|regular|ordinary|classic) (?:ddp"
    r"|data parallel)|\bddp\b"
    r"|(?:no|without)(?: any)?(?: \w+){0,2} (?:sharding|partitioning|zero|fsdp)|unsharded"
    r"|(?:not|n't|never) shard\w*|(?:held|kept|holds?|keeps?|had) (?:an?|the|its) (?:whole|full"
    r"|complete|entire)|(?:full|own|complete|whole)(?: \w+){0,2} (?:copy|replica)|replicated",
    Circumstance.ZERO_1: r"zero(?: stage)? (?:1|one)\b|stage (?:1|one) (?:of )?zero|zero i\b",
    Circumstance.ZERO_2: r"zero(?: stage)? (?:2|two)\b|zero ii\b",
    Circumstance.SPLIT: r"(?:tensor|pipeline|context|sequence|model|expert)(?: and \w+)? parallel"
    r"|\b(?:tp|pp|cp) ?=? ?\d|megatron|3d parallel|pipeline stages",
    Circumstance.ADAPTERS: r"q?lora\b|q?loras\b|adapters?\b|\bpeft\b|prefix tuning|prompt tuning"
    r"|dora\b",
    Circumstance.FROZEN: r"fro(?:ze|zen)\b|freez(?:e|ing)|(?:only|just)(?: \w+){0,3} (?:head"
    r"|layers?|embeddings?|biases)",
    Circumstance.LEAN: r"(?:8|eight|4|four|int8|int4|nf4) ?bit|quanti[sz]|adafactor|\bsgd\b"
    r"|\blion\b|galore|\bmuon\b|\bsm3\b|\blomo\b|apollo|\bcame\b optimi|pure (?:bf|fp)16"
    r"|(?:bf16|bfloat16) (?:adam|optimi[sz]er|states|moments"
    r"|master)|(?:everything|states?|moments?|optimi[sz]er\w*) in bf16|\b(?:two|four|six|eight|ten"
    r"|2|4|6|8|10) bytes|pruned|gradient release|bitsandbytes|\bbnb\b",
    Circumstance.OFFLOADED: r"off ?load|(?:to|in|into|on|from|using) (?:the )?(?:cpu|host|disk"
    r"|nvme|ssd|ram\b|system memory)"
    r"|cpu (?:ram|memory|adam|optimi[sz]er)|host (?:ram|memory)|zero infinity|unified memory"
    r"|swapp(?:ed|ing)|paged",
    Circumstance.FAILED: r"out of memory|\boom\b|o\.?o\.?m|oom(?:ed|ing)|(?:did|does|do|would"
    r"|could)(?:n't| not) fit|(?:ran|run(?:ning)?) out of (?:\w+ )?(?:memory|vram)|crash|blew up"
    r"|never (?:fit|finished|ran|worked)|didn't work|not enough memory|failed|gave up|impossible"
    r"|\bkilled\b|too (?:big|large|little)",
    Circumstance.EXPERTS: r"\bmoe\b|mixture of experts?|experts?\b|sparse(?:ly)?\b|mixtral|switch "
    r"transformer",
    Circumstance.EIGHT_BIT_MATHS: r"\bfp8\b|\bfloat8\b|\bint8\b|\bfp4\b|\bmxfp\d|\bnvfp4\b|8 bit "
    r"(?:float|training|matmul)",
    Circumstance.STAGED: r"(?:two|three|several|2|3) (?:stages|phases)\b",
    Circumstance.RAMPED: r"ramp|batch ?size (?:warm ?up|schedule)|(?:increas|grow|grew|doubl"
    r"|rais)\w*(?: \w+){0,3} batch|batch(?: \w+){0,3} (?:increas|grow|grew|doubl|rais|went)\w*"
    r"|warm(?:ed)? ?up the batch|variable length|curriculum",
    Circumstance.PACKED: r"pack(?:ed|ing)",
    Circumstance.PARTIAL: r"subset|subsampl|(?<!all )sampled|part of (?:it|the)|(?:pass(?:es)?"
    r"|epochs?) (?:on|over|through|of)(?: the)? (?:code|web|math\w*|books?|wiki\w*|papers)"
    r"|(?:part|portion|share) (?:is|was|had|has)|fraction|(?:a|one|first) "
    r"(?:half|third|quarter|tenth) of (?:it|the|our|all|that)|early stop"
    r"|stopped early|cut short|resumed|so far|still running|not finished|upsampl|mixed (?:in|with)"
    r"|weighted",
}
_STAGE_CUES: dict[Stage, str] = {
    Stage.CONTINUED: r"continu(?:ed|al|ing) pre ?train\w*|mid ?training|anneal\w*|long context "
    r"(?:stage|phase|extension|run)|context extension|domain adapt\w*",
    Stage.REWARD: r"reward models?\b",
    Stage.PREFERENCE: r"\b(?:rlhf|ppo|grpo|dpo|rl|kto|orpo|rlvr)\b|reinforcement",
    Stage.FINE_TUNING: r"\bsft\b|fine ?tun(?:e|ed|ing)\b|finetun\w+|instruction tun\w+|q?lora\b"
    r"|adapters?\b",
    Stage.PRETRAINING: r"pre ?train(?:ed|ing|s)?\b(?! (?:model|checkpoint|weights|base|lm|version"
    r"|network))|from scratch",
}
_CUE = {name: re.compile(rf"(?<![\w'])(?:{cue})") for name, cue in _CUES.items()}
_STAGE_CUE = {name: re.compile(rf"(?<![\w'])(?:{cue})") for name, cue in _STAGE_CUES.items()}
_ANY_CUE = re.compile(rf"(?<![\w'])(?:{'|'.join(_CUES.values())})")
_ANY_STAGE = re.compile(rf"(?<![\w'])(?:{'|'.join(_STAGE_CUES.values())})")
_NEGATING = re.compile(
    r"(?:\b(?:no|not|never|nothing|without|neither|nor|none|instead of|rather than)|n't)\b"
    r"(?:(?!\b(?:so|but|because|until|then|when|we|i|which|since|and)\b)[^,.;:!?]){0,30}$"
    r"|\b(?:no|without)(?: any)?(?: [\w/]+){1,3}(?:,(?: (?:and|or|nor))?(?: [\w/]+){1,3})*,?"
    r"(?: and| or| nor)? (?:no |any )?$"
    r"|\bnothing(?: [\w/]+){1,4} (?:or|nor|and) $"
)
_SWITCHED_OFF = re.compile(r"^\w* (?:was |were |is )?(?:off|disabled|unused|not used)\b")
_REACH = 80
_STANDING = (Circumstance.UNSHARDED, Circumstance.FAILED)
"""These hold their own negators."""


def circumstances(text: str) -> Iterator[tuple[int, Circumstance]]:
    """The circumstances that a sentence states, with their places; not those it denies.

    The sentence is normalised, with spaces for the hyphens in its words.
    """
    if not _ANY_CUE.search(text):
        return
    for name, cue in _CUE.items():
        for match in cue.finditer(text):
            if name in _STANDING or not _is_denied(text, *match.span()):
                yield match.start(), name


def stages(text: str) -> Iterator[tuple[int, Stage]]:
    """The stages that a sentence speaks of; of overlapping ones the most special."""
    if not _ANY_STAGE.search(text):
        return
    taken = 0
    found = sorted(
        (match.start(), -match.end(), name)
        for name, cue in _STAGE_CUE.items()
        for match in cue.finditer(text)
    )
    for start, end, name in found:
        if start >= taken and not _is_denied(text, start, -end):
            yield start, name
            taken = -end


def _is_denied(text: str, start: int, end: int) -> bool:
    before, after = text[max(0, start - _REACH) : start], text[end : end + _REACH]
    return bool(_NEGATING.search(before) or _SWITCHED_OFF.search(after))
