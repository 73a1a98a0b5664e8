"""The rules by which the words around an amount tell what it measures."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

from interviewer.grading.claims.claim import Measure

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


_AMOUNT = re.compile(r"<([A-Z]+)>")
_GAP = re.compile(r"([~&])(\d)")


@dataclass(frozen=True)
class Rule:
    """A pattern and what the amount in its group ``v0``, ``v1``… measures.

    Other groups: ``w``, an amount to multiply by; ``unit``, the time unit of a rate; ``dgx``,
    present if boxes of eight were counted. ``measure`` None claims amounts that no check needs, so
    that no other rule picks them up.
    """

    measure: Measure | None
    pattern: re.Pattern[str]
    letters: frozenset[str]
    """Shorthand without any of these letters cannot match."""


LIMITS: dict[Measure, tuple[float, float]] = {
    Measure.PARAMETERS: (1e6, 2e13),
    Measure.ACTIVE_PARAMETERS: (1e6, 2e12),
    Measure.TOKENS: (1e6, 1e15),
    Measure.DATASET_TOKENS: (1e5, 1e16),
    Measure.EXAMPLES: (100, 1e10),
    Measure.EPOCHS: (0.01, 1000),
    Measure.BATCH_SEQUENCES: (1, 3e5),
    Measure.BATCH_TOKENS: (1000, 1e9),
    Measure.MICRO_BATCH: (1, 4096),
    Measure.ACCUMULATION: (1, 65536),
    Measure.DATA_PARALLEL: (1, 1e6),
    Measure.SEQUENCE_LENGTH: (64, 1.1e7),
    Measure.STEPS: (10, 1e9),
    Measure.STEP_TIME: (1e-3, 7200),
    Measure.DURATION: (60, 1e8),
    Measure.DEVICE_TIME: (60, 1e14),
    Measure.GPUS: (1, 1e6),
    Measure.GPU_MEMORY: (6e9, 4e11),
    Measure.STATE_MEMORY: (1e6, 1e15),
    Measure.STATE_TOTAL: (1e6, 1e15),
    Measure.MFU: (0.001, 1.5),
    Measure.THROUGHPUT: (1, 1e12),
    Measure.DEVICE_THROUGHPUT: (1, 1e8),
    Measure.LEARNING_RATE: (1e-9, 1),
}
"""A number outside these limits was misread: it cannot be the measure."""


def is_possible(measure: Measure, value: float) -> bool:
    """The value is within the limits of the measure."""
    low, high = LIMITS[measure]
    return low <= value <= high


def _compiled(pattern: str) -> re.Pattern[str]:
    pattern = _GAP.sub(
        lambda gap: rf"(?:{LINK if gap[1] == '~' else WORD}){{0,{gap[2]}}}?",
        pattern.replace(" ~", ":? ~"),
    )
    place = count()
    pattern = _AMOUNT.sub(lambda amount: rf"(?P<v{next(place)}>[{amount[1]}])", pattern)
    for name, words in VOCABULARY.items():
        pattern = pattern.replace(f"{{{name}}}", words)
    return re.compile(rf"(?<![\w'])(?:{pattern})(?!\w)")


def _rules(measure: Measure | None, *patterns: str) -> Iterator[Rule]:
    for pattern in patterns:
        letters = frozenset("".join(_AMOUNT.findall(pattern)))
        yield Rule(measure, _compiled(pattern), letters)


RULES: tuple[Rule, ...] = (
    *_rules(
        None,
        r"<NB> ?(?:[tpe](?:era|eta|xa)?flops?|flops?|flop/s)",
        r"[$€£] ?<NB>",
        r"<NB> (?:dollars|euros|bucks|bytes?|bits?|layers?|(?:attention |kv |query )?heads?"
        r"|experts?|images|videos|frames|pages|documents?|docs|files|urls|users|requests|queries"
        r"|seeds|runs|rollouts|dimensions?|people|engineers|years?|degrees|nats|hops|racks?)",
        r"(?:vocab|vocabulary)(?: size)? ~3<NB>(?: tokens)?|<NB> (?:token )?(?:vocab|vocabulary)",
        r"<NB> (?:tokens of (?:warm ?up|validation|eval)|(?:prompt|response|output|generated|held "
        r"out|validation|eval(?:uation)?|test) tokens)",
        r"<NB> (?:linear )?warm ?up(?: steps| tokens| iterations)?|warm(?:ed)? ?up ~4<NB>(?: "
        r"{step})?|<NB> {step} (?:of )?(?:linear )?(?:warm ?up|decay|cool ?down)|<NB> warming",
        r"(?:every|each|first|last|next|past) <NB> (?:{step}|tokens)|(?:around|near) (?:step"
        r"|iteration) <NB>|epoch <NB>",
        r"(?:rank|lora|r|top|phase|stage|zero|version|python|pytorch|cuda|clip(?:ping)?|decay"
        r"|beta) <N>",
        r"<N> {card} (?:died|failed|crashed|broke|dead|were (?:down|broken|idle|reserved|spare"
        r"|dead))|lost <N> (?:{card}|{node})",
        r"<NB> {seqs}(?: ?/ ?| (?:per|an?|each|every) ){second}",
        r"<NB> tokens?(?: ?/ ?| (?:per|an?|each) )(?:{second} (?:per|an?) )?{node}",
    ),
    *_rules(
        Measure.DEVICE_THROUGHPUT,
        r"(?:each|any|every N) of (?:the|our|these|those) (?:N )?{card} &5<NB> (?:training "
        r")?tok(?:en)?s? ?(?:/ ?|(?:per|an?|each|every) )(?P<unit>second|sec|s|hour|day)",
        r"(?:an? G|(?:an?|N) (?:gpu|card|device|accelerator|chip)) (?:[a-z]+ ){1,3}<NB> "
        r"(?:training )?tok(?:en)?s? ?(?:/ ?|(?:per|an?|each|every) )(?P<unit>second|sec|s|hour"
        r"|day)",
        r"<NB> (?:training )?tok(?:en)?s? ?(?:/ ?|(?:per|an?) )(?P<unit>second|sec|s|hour|day) "
        r"(?:each|apiece)",
        r"<NB> (?:(?:training )?tok(?:en)?s? ?)?(?:/ ?|(?:per|an?|each|every) )"
        r"(?P<unit>second|sec|s|minute|hour|day){each_card}",
        r"<NB> (?:training )?tok(?:en)?s?{each_card}(?: ?/ ?| (?:per|an?|each|every|and) "
        r")(?P<unit>second|sec|s|minute|hour|day)",
        r"{card},? each(?: of (?:them|which))? &2<NB> (?:training )?tok(?:en)?s? ?(?:/ ?"
        r"|(?:per|an?) )(?P<unit>second|sec|s|minute|hour|day)",
        r"tok(?:en)?s? ?(?:per |/ ?)(?P<unit>second|sec|s){each_card} ~3<NB>",
        r"(?:each|every|per) (?:G|gpu|card|device|accelerator|chip) &5<NB> (?:training "
        r")?tok(?:en)?s? ?(?:/ ?|(?:per|an?|each|every) )(?P<unit>second|sec|s|minute|hour|day)",
    ),
    *_rules(
        Measure.THROUGHPUT,
        r"in (?P<w>T) (?:[a-z]+ ){1,6}<NB> tokens",
        r"<NB>(?: (?:training )?tok(?:en)?s? ?| )(?:/ ?|(?:per|an?|each|every) )"
        r"(?P<unit>second|sec|s|minute|hour|day|week)",
        r"<NB> (?P<unit>tps)",
        r"(?:every|each|per) (?P<unit>second|hour|day|week),? &4<NB> (?:training )?tokens",
        r"(?:throughput|tok(?:en)?s? ?(?:per |/ ?)(?P<unit>second|sec|s|hour"
        r"|day)) ~5<NB>(?! ?(?:tflops|samples|sequences))",
    ),
    *_rules(None, r"<NB>{more} tokens? (?:per|on each|on every|for each|on a|an?) {card}"),
    *_rules(
        Measure.STEP_TIME,
        r"{step} (?:came|comes?|arrived?|arrives|landed|lands|went by|finished) every <T>",
        r"in (?P<w>T) (?:[a-z]+ ){1,5}<N> {step}",
        r"<T>,? (?:{per} )+{step}|<T> ?/ ?(?:{step}|it)|<T> (?:step time|steps|iterations|updates)",
        r"<T> (?:is|was|were|being|as) (?:the|our|its|my)(?: [a-z]+){0,2} (?:step|iteration"
        r"|update) time|(?:step|iteration|update) ?times? &5<T>|(?:step|update|iteration"
        r"|iter) ~4<T>(?: each)?(?! (?:later|in total|overall))",
        r"(?<![NB] )(?<!training )(?<!optimizer )(?<!optimiser )(?<!gradient )(?<!update )(?:steps"
        r"|updates|iterations|iters) ~4<T>(?: (?:each|apiece))?(?! (?:later|in total|overall))",
        r"[NB] {step} (?:at|of|with) <T>(?: (?:each|apiece))?",
        r"(?:an?|N) (?:step|update|iteration) every <T>|{step} at <T>|(?<!every )[NB] {step},?(?: "
        r"[a-z]+){0,3} <T> (?:each|apiece)|[NB] of them(?: at|,) <T>",
        r"<N> {step} ?(?:/ ?|(?:per|an?|each|every) )(?P<unit>second|sec|s|minute|hour|day)",
    ),
    *_rules(
        None,
        r"(?:every|first|last|past|next) <T>|(?<!, )each <T>|<T> (?:per|an?|each|every) (?:day"
        r"|night|week)",
    ),
    *_rules(
        Measure.DATA_PARALLEL,
        r"<N> (?:way )?(?:data parallel|dp)(?: (?:ranks?|replicas?|workers?|groups?|copies"
        r"|degree))?(?! (?:{card}|{node}))",
        r"(?:data parallel(?:ism)?|dp)(?: (?:size|degree|width|world size|ranks?))?(?: {is}| ?=| "
        r"across| over)? ?<N>(?: ranks| replicas| workers)?{after}",
        r"<N> (?:model )?(?:ranks?|replicas?|workers?)",
    ),
    *_rules(
        Measure.ACCUMULATION,
        r"<N> (?:gradient |grad )?accumulation(?: steps?| rounds?| micro ?steps?)?(?! of)",
        r"<N> (?:steps?|rounds?|micro ?batches|passes) of (?:gradient |grad )?accumulation",
        r"(?<![NB] )(?<!N gradient )accumulat(?:ion|ing|ed?)(?: steps?| factor)? ~4<N>(?: times"
        r"| micro ?batches| steps| rounds)?{after}|(?:grad|gradient) acc(?:um)? ~2<N>|<N> (?:micro "
        r"?batches|micro ?steps|backward passes)(?: (?:{per} )+(?:{step}|batch))?",
        r"accumulat\w+ ~2<X>",
        r"(?:accumulat\w+|adding up) ~4<N> (?:micro ?batches|steps)",
    ),
    *_rules(
        None,
        r"<N> way(?: [a-z]+){0,2}? parallel\w*|(?:tensor|pipeline|context|sequence|expert|model) "
        r"parallel\w*(?: (?:size|degree))? ~2<N>|(?:tp|pp|cp|ep|sp) ?(?:=|of|was)? ?<N>",
    ),
    *_rules(
        Measure.MICRO_BATCH,
        r"(?:micro ?|local |(?:per|each) (?:device|{card}|rank|replica|worker) (?:train(?:ing)? "
        r")?)(?:{batch}) ~3<N>(?: {seqs})?{after}|mbs ?=? ?<N>",
        r"{batch} ~2<N>(?: {seqs})? (?:per|an?|on each|on every|each|for each) (?:device|{card}"
        r"|rank|replica|worker)",
        r"{batch} (?:per|on each|on every|a) (?:device|{card}|rank|replica|worker) ~2<N>",
        r"(?:{card}|ranks?|replicas?|workers?),? (?:with |at |and |processing |handling |running "
        r")?<N> {seqs} (?:each|apiece)",
        r"<N> {seqs} (?:per|on each|on every|each|an?) (?:device|{card}|rank|replica|worker)",
        r"micro ?batches of <N>",
        r"(?:each|every) (?:device|{card}|rank|replica|worker) (?:[a-z]+ ){0,3}{batch} ~2<N>",
        r"(?:each|every) (?:device|{card}|rank|replica|worker) [a-z]+ <N> {seqs}",
    ),
    *_rules(
        Measure.SEQUENCE_LENGTH,
        r"{seqs},? (?:with |of |at |each |long )*<N> tokens?(?: each| long|)",
        r"N <N>(?: token)? (?:sequences?|samples?)|<N> sequences(?=,? (?:and |with )?N (?:of "
        r"(?:them|those)|in|per) )|length of (?:each|every|one|an?)(?: N)?(?: {seqs})? ~2<N>",
    ),
    *_rules(
        Measure.BATCH_TOKENS,
        r"in tokens,? (?:that's|that is|that was|it's|this is) ~1<NB>",
        r"(?:each|every|an?|one|per|our|the) {step} &4<NB>{more} tokens|<NB>{more} tokens?,? "
        r"(?:{per} )+&1(?:{step}|batch)",
        r"{step}\b[^.;:]{0,40}? <NB> tokens (?:each|apiece)",
        r"{step},? each (?:[a-z]+ )?<NB> tokens",
        r"{step} (?:of|at|with|x|×|times) <NB> tokens|<NB> tokens (?:at a time|in (?:a|each|every) "
        r"{batch})",
        r"<N> (?:by|x|×|times) (?P<w>N)(?: tokens)? (?:for|as|is|in) (?:the|our|an?|each|every) "
        r"(?:batch|step|update)",
        r"{batch} ~4<NB> tokens?(?! (?:each|context|long|per sequence))|<NB> token &1{batch}"
        r"|tokens per (?:{step}|batch)[:,]? ~2<NB>",
        r"{batch} ~3[NB] tokens?(?: to| and then| then| and later)+ ~2<NB>(?: tokens)?",
        r"{batch} ~4<B>",
    ),
    *_rules(
        Measure.SEQUENCE_LENGTH,
        r"(?:sequence|seq|context|(?<!sliding )(?<!attention )window)(?: length| len| window"
        r"| size)? ~3<NB>(?: tokens?)?{after}",
        r"{seqs} (?:of|at|x|×|times|by|with) ~3<N>(?: tokens?)?(?: (?:each|long))?(?! (?:per|a) )",
        r"<NB>(?: tokens?)? (?:context|window|sequence length|seq(?:uence)? len(?:gth)?|long|per "
        r"sequence)",
        r"<N> tokens? (?:each|apiece|sequences?|long|per sequence)|seq(?:len|_len| len) ?=? ?<N>",
        r"<NB>(?: tokens)?,? (?:is |was |for |as )?(?:the|our) (?:[a-z]+ )?(?:context|window"
        r"|sequence length)",
        r"length(?:s)?(?: {is})? <N>|(?<=[NB] )(?:x|×|by|at) <N>(?! ?(?:G|gpus?|steps|nodes|P|T))",
        r"<N> long|[NB] (?:{seqs}|steps) at <N>|at <N>(?= context| length| tokens)",
    ),
    *_rules(
        Measure.STEPS,
        r"(?:updated|stepped|iterated)(?: [a-z]+){0,2} <X>",
        r"(?:(?:after|at) )?<NB> (?!accumulation){step}(?! (?:of (?:gradient |grad )?accumulation"
        r"|per|a second|each epoch|per epoch))",
        r"<NB> (?:mini ?)?batches(?! (?:per|of|a|in|each)\b)",
        r"(?:number of|total) (?:{step}|batches)[:,]? ~2<NB>|<NB> (?:is |was |being )?the "
        r"(?:number of|total) {step}|(?<!each )(?<!every )(?<!per ){step} ?(?:=|:) ?<NB>(?! tokens)"
        r"|(?:step|iteration|update) <NB>",
    ),
    *_rules(
        Measure.ACTIVE_PARAMETERS,
        r"<NB>(?: of (?:those|them|which|these))?(?: [a-z]+){0,2}? (?:are |were |is "
        r"|being )?(?:active|activated|fire|used per token)(?: parameters?| params| weights)?",
        r"(?:active|activated|activates|activating)(?: parameters?| params| weights)? ~3<NB>",
    ),
    *_rules(
        Measure.PARAMETERS,
        r"<NB>(?: (?!tokens?\b)[a-z]+){0,2}? (?:parameters?|params?|weights)",
        r"(?:parameters?|params|parameter count|model size|size of the model) (?:count )?{is} "
        r"~1<NB>(?! tokens?)",
        r"<B> (?:(?!tokens?\b)[a-z]+ ){0,2}?{model}",
    ),
    *_rules(
        Measure.TOKENS,
        r"(?:pre ?)?train(?:ed|ing)?(?: (?:(?!epochs?|pass)[a-z]+|B)){0,6}? (?:on|over|through) "
        r"(?:an?|the|our|this) <NB>{more}"
        r" tokens? &1(?:corpus|data ?set|mix(?:ture)?|crawl|set)",
    ),
    *_rules(
        Measure.DATASET_TOKENS,
        r"<NB>{more} tokens? &1(?:corpus|corpora|data ?sets?|crawl|mix(?:ture)?|set|pool|pile"
        r"|dump)",
        r"(?:over|through) (?:the|our|all|these|those) <NB>{more} tokens(?= [^,;.]{0,30}X)",
        r"X (?:over|through) (?:the|our|all|these|those) <NB>{more} tokens",
        r"<NB>{more} tokens? (?:is|was) (?:the size of )?(?:the|our) (?:[a-z]+ )?(?:corpus"
        r"|data ?set|data|set|pool)",
        r"<NB>{more} tokens? (?:in size|large|big)",
        r"{data}[:,]? <NB>{more} tokens",
        r"(?:corpus|corpora|data ?set|crawl|mix(?:ture)?|data|set|pool|pile|dump|shards)(?: itself"
        r"| alone)? (?:is|was|were|are|has|had|have|came (?:out )?(?:to|at)|comes to|contains?"
        r"|contained|held|holds|only (?:has|had)|totall?ed|totals|counted|amounted to|amounts to"
        r"|adds? up to|added up to)(?: at| to)? <NB>(?:{more} tokens)?",
        r"(?:corpus|corpora|data ?set|crawl|mix(?:ture)?|data|set|pile|dump|shards) (?:of|with) "
        r"<NB>{more} tokens",
        r"(?:unique|distinct|corpus|data ?set) tokens(?: is| was| are|:) <NB>",
        r"<NB>{more} tokens in (?:the|our) (?:[a-z]+ )?(?:corpus|data ?set|data|set|pool|mix"
        r"|crawl)",
        r"tokens in (?:the|our) (?:[a-z]+ )?(?:corpus|data ?set|data|set|pool|mix):? ~2<NB>",
        r"(?:have|had|got) <NB> tokens of (?:[a-z]+ )?(?:data|text|code|web|books|documents)",
        r"(?:epochs?|pass(?:es)?|rounds|trips|loops) (?:of|over|on|through)(?: the| an?| our"
        r"| all)? <NB>{more} tokens",
        r"<NB>(?: (?:unique|distinct|different))+ (?:[a-z]+ )?(?:tokens|ones)|<NB> tokens of "
        r"(?:unique|deduped|distinct)",
        r"<NB> tokens(?: [a-z]+){0,3}? (?:after|post) (?:dedup\w*|clean\w*|filter\w*)",
    ),
    *_rules(
        Measure.EPOCHS,
        r"<N>(?: (?:full|complete|whole))? (?:epochs?|passe?s?)(?: over| through)?(?! of warm)",
        r"epochs? ?(?:=|:) ?<N>|all of (?:it|them|that) &1<X>",
        r"(?:over|through|on) (?:it|them|that|the|this|all|our|everything|each|every)\b(?: "
        r"(?:[a-z']+|B)){0,4}? <X>|(?:saw|seen|read|used|repeated|visited|reused) (?:it|them|this"
        r"|all|everything|each|every|the|our)\b(?: (?:[a-z']+|B)){0,4}? <X>|<X> (?:over"
        r"|through) (?:the|it|our|all)|(?:each|every)(?: [a-z]+){1,4} (?:seen|used|visited|read"
        r"|trained on|shown) <X>|(?:was|were|got|get) (?:each |all )?(?:seen|used|visited|read"
        r"|trained on|shown|repeated) <X>|(?:show(?:ed|n)?|fed|saw|seen|read|went through) "
        r"(?:[a-z]+ ){0,2}(?:each|every|all|the)(?: N)?[^,;.BTMPX]{0,50} <X>",
    ),
    *_rules(
        Measure.TOKENS,
        r"<NB>(?: of)?{more} tok(?:en)?s?(?! (?:per|an?|each|every|context|window|vocab|batch|in "
        r"each|in every|/|limit)\b)",
        r"tokens(?: seen| total| overall)? ?(?:=|:|was|were) ?<NB>",
    ),
    *_rules(
        Measure.DEVICE_TIME,
        r"<NB> (?:{card}) ?(?P<unit>minutes?|hours?|hrs?|days?|weeks?|months?|years?)"
        r"(?!(?: on (?:an? |the )?G)? (?:is|costs?|gives?)\b)",
        r"{card} (?P<unit>hours?|days?),? (?:[a-z]+ ){0,6}<NB>(?= |,|\.|$)(?! (?:{card}|tokens?"
        r"|{step}|T|M))",
    ),
    *_rules(
        None,
        r"<N> (?:dead|broken|spare|idle|bad|faulty) (?:{card}|{node})",
    ),
    *_rules(
        Measure.GPUS,
        r"<N> (?!(?:tokens?|per|each|every|an?|steps?)\b)&2{node},? ?(?:(?:of|with|having|,|times|x"
        r"|×|each with|at|and|each having|each) )*&2(?P<w>N)(?: M)?(?: x)? (?:[a-z]+ )?{card}",
        r"(?P<w>N)(?: M)? {card} (?:each|per|an?|in each|on each)(?: {node})?(?:,| on| across| in| "
        r"over| and| with| times| x)* <N>(?: {node})?",
        r"<N> (?:(?:of|x|×) )?(?P<w>N) ?(?:[x×] ?)?(?:M )?{card}(?: G)? {node}",
        r"<N> (?:dgx|hgx) (?P<dgx>(?:G ?)?(?:{node}|stations?)?)",
    ),
    *_rules(
        None,
        r"(?:each|every|per) {node} ~3<N>(?: M)? {card}|<N>(?: M)? {card} (?:each|per|an?|in each"
        r"|on each|in every|on every)(?! [a-z]+ing| did| ran| got| saw)(?: {node})?",
    ),
    *_rules(
        Measure.GPUS,
        r"<N> ?[x×*] ?(?:M )?{card}|G ?[x×*] ?<N>",
        r"<N>(?: of (?:the|these|those|our|my|its|such|[a-z]+'s))?(?: same)?(?: M)*"
        r"(?: (?!(?:tokens?|per|each|every|an?|the|on|for|of|steps?|with|sequences?|in|samples?"
        r"|batch|to|and|or|x|at|across|over|is|was|were|by|from|than|but|so|no|sorry|accumulation"
        r"|ranks?|replicas?|times|seconds?|layers?|way|epochs?|examples?|a|i|we"
        r"|nodes?)\b)[a-z]+){0,3}(?: M)? {card}"
        r"(?! ?(?:hours?|hrs?|days?|weeks?|months?|years?|minutes?|memory|generation|failures?))",
        r"(?:world size|cluster|pod|fleet)(?: size)?(?: {is})? <N>(?! (?:{node}|T|M))",
        r"(?:on|with|used|had|owned?|rented|using|is|was) (?:my|an?|my own|our|our own)(?: M)? "
        r"<G>(?! (?:node|cluster|box|machine|pod|server)s?)",
        r"my (?:[a-z]+ ){0,2}(?:M )?<G>(?! (?:node|cluster|box|machine|pod|server)s?)",
    ),
    *_rules(
        Measure.GPU_MEMORY,
        r"<M>(?:,)? (?:version|variant|model|edition|parts?|ones?|kind|flavou?r|{card})",
        r"{card},? (?:with|at|having|has|have|had|of)(?: the| only)? <M>(?: each| apiece| of "
        r"(?:memory|hbm|vram))?",
        r"G,? (?:the )?<M>(?! (?:per|a|each|of (?:states|weights)))|<M> (?:of )?(?:hbm|vram)",
        r"{card} (?:was|were|are|is) (?:the )?<M>(?: ones)?",
    ),
    *_rules(
        Measure.MFU,
        r"<P> (?:[a-z]+ )?(?:mfu|hfu|model flops?)|<P>(?: (?:of|bf16|the|theoretical|hardware))* "
        r"(?:peak|utili[sz]ation)(?! of (?:memory|gpu))",
        r"(?:mfu|hfu|flops? utili[sz]ation|model utili[sz]ation) ~6<P>|(?<!gpu )(?<!memory )(?<!sm "
        r")utili[sz]ation ~3<P>",
        r"mfu ~3<N>{after}",
    ),
    *_rules(
        Measure.LEARNING_RATE,
        r"(?:lr|learning rate) ~5<N>{after}|<N> (?:peak |max |maximum )?(?:learning rate|lr)",
    ),
    *_rules(
        Measure.BATCH_SEQUENCES,
        r"<N> {seqs} (?:{per} )+&1(?:{step}|batch)|{seqs} per (?:{step}|batch) ~2<N>",
        r"<N> {seqs} (?:of|at|x|×|times|by|with)(?! (?:an? )?(?:micro |global )?batch)(?: "
        r"[a-z]+){0,3} [N]",
        r"(?:{batch}) ~5<N>(?: {seqs})?{after}|<N> (?:sequence|sample|example)? ?(?:global "
        r"|effective )?{batch}",
        r"<N>(?: {seqs})?,? (?:as |is |was |for )?(?:the|our) (?:global |effective |total "
        r"|overall )?{batch}(?! of)",
        r"<N> (?:sequences|seqs)|<N> ?[x×*] ?[NB](?= ?=| tokens)",
    ),
    *_rules(
        Measure.EXAMPLES,
        r"<NB>(?: (?:training|preference|instruction|labell?ed|human|high|quality|synthetic|sft"
        r"|question|answer|chat|comparison|curated|careful(?:ly)?|written|ranked|unique|different"
        r"|annotated|prompt|response|fine|tuning|cleaned|filtered)){0,3} (?:examples|instructions"
        r"|conversations|dialogues|dialogs|demonstrations|pairs|prompts|samples|rows|records"
        r"|questions|instances|trajectories)(?! (?:per|an?|each|/)\b)",
    ),
)
