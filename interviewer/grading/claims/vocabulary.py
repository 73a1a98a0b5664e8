"""Words of the field that stand for one another in the grammar's patterns."""

from __future__ import annotations

VOCABULARY = {
    "step": r"(?:(?:optimi[sz]er|training|gradient|update|weight|parameter|global|more|single) )*"
    r"(?:steps?|updates?|iterations?|iters?|its?(?=/))",
    "per": r"(?:per|an?|each|every|in (?:each|every|one|a)|for (?:each|every|one|a)|to (?:each|a)"
    r"|on each|at (?:each|every)|(?<= )/|/)",
    "second": r"(?:seconds?|secs?|s)",
    "card": r"(?:G|gpus?|cards?|devices?|accelerators?|chips?|boards?|tpus?)",
    "each_card": r"(?: ?/ ?|,? (?:per|each|an?|on (?:each|every|one|an?)|for (?:each|every)"
    r"|from (?:each|every|one|an?)|out of (?:each|every|one)|(?:on )?each of(?: the| our)?(?: N)?"
    r"|every|by each|and) )(?:single |individual |N )?"
    r"(?:G|gpus?|cards?|devices?|accelerators?|chips?|tpus?)(?! nodes?| cluster| box)",
    "node": r"(?:nodes?|box(?:es)?|servers?|machines?|hosts?|instances?|workstations?)",
    "batch": r"(?:batch(?:es)?(?: ?sizes?)?|bs|gbs)",
    "seqs": r"(?:sequences?|samples?|seqs?|examples?|prompts?)",
    "data": r"(?:corpus|corpora|data ?set|crawl|mix(?:ture)?|data|set|pool|pile|dump|shards)",
    "is": r"(?:is|was|were|are|of|at|=|:|to)",
    "model": r"(?:models?|lms?|llms?|transformers?|networks?|decoders?|nets?)",
    "after": r"(?! ?(?:[GMPT]\b|gpus?\b|cards?\b|tokens?\b|steps?\b|epochs?\b|nodes?\b|layers?\b"
    r"|bit\b|way\b|percent|x ))",
    "more": r"(?: (?:more|unique|training|total|distinct|clean(?:ed)?|raw|deduped|deduplicated|good"
    r"|english|code|text|pretraining|extra|filtered|different|web|fresh|actual|real|high"
    r"|quality))*",
}
WORD = r"(?:[a-z'/()=:]+(?: |(?<=[=:(])))"
LINK = (
    r"(?:(?:sizes?|lengths?|number|count|of|was|is|were|are|be|been|being|at|to|set|fixed|constant"
    r"|held|kept|stay(?:s|ed|ing)?|came|comes|out|equal(?:s|led)?|an?|the|steady|then|both|always"
    r"|it|as|in|with|by|up|from|that's|gave|gives|settled|landed|ended|peak(?:ed)?|hovered"
    r"|averag(?:e|ed|ing)|ran|sat|went|reached|hit|got|final|effective|total|overall|global"
    r"|linearly|start(?:ed|ing)?|degree|factor|took|takes?|tak(?:en|ing)|need(?:s|ed)?|lasted|last"
    r"|measured|exceeded|over|per|rate|again|still|we|us|me"
    r"|has|had|having|held|holds|used|have|chose|one|each|throughout|therefore|thus|hence"
    r"|really|indeed|actually|now)|[=:(])(?: |(?<=[=:(])) ?"
)
