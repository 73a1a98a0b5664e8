"""What a text says about a run besides numbers, and whether it is about a real run at all."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from enum import StrEnum

from interviewer.rubric.text import Span


class Circumstance(StrEnum):
    """A fact about a run that excuses odd numbers, or makes them binding."""

    ADAM = "adam"
    """All weights in mixed precision with Adam: sixteen bytes a parameter."""
    FULL = "full"
    """All weights were trained with an unnamed optimizer."""
    SHARDED = "sharded"
    UNSHARDED = "unsharded"
    ZERO_1 = "zero_1"
    ZERO_2 = "zero_2"
    SPLIT = "split"
    """Tensor, pipeline or context parallel: fewer data-parallel ranks than devices."""
    ADAPTERS = "adapters"
    FROZEN = "frozen"
    LEAN = "lean"
    """States smaller than Adam's in mixed precision: 8-bit, Adafactor, pure BF16, quantised."""
    OFFLOADED = "offloaded"
    FAILED = "failed"
    EXPERTS = "experts"
    EIGHT_BIT_MATHS = "eight_bit_maths"
    SPARSITY = "sparsity"
    """Structured sparsity, which doubles the peak."""
    RECOMPUTED = "recomputed"
    """Activation checkpointing."""
    STORED = "stored"
    """All activations are kept: no checkpointing."""
    FUSED_ATTENTION = "fused_attention"
    """No attention scores are stored."""
    PLAIN_ATTENTION = "plain_attention"
    """The attention scores of all layers are stored for the backward pass."""
    FORWARD_ONLY = "forward_only"
    """Serving, evaluation, labelling, generating: nothing is trained."""
    TIED = "tied"
    """Input and output embeddings are one matrix."""
    UNTIED = "untied"
    """Input and output embeddings are two matrices."""
    LATENT = "latent"
    """MLA."""
    FOUR_MODELS = "four_models"
    """PPO's policy, critic, reward model and reference are held at once, two of them trained."""
    COMPRESSED = "compressed"
    """The text on disk is compressed."""
    FULL_CHECKPOINT = "full_checkpoint"
    """Checkpoints hold the optimizer states."""
    WEIGHTS_ONLY = "weights_only"
    """Checkpoints hold the weights alone."""
    EXACT_KL = "exact_kl"
    """Computed over the whole vocabulary, not estimated from samples."""
    EVEN_STAGES = "even_stages"
    """Every pipeline stage holds the same whole number of layers."""
    UNACCUMULATED = "unaccumulated"
    """No gradients are accumulated."""
    ZERO_BUBBLE = "zero_bubble"
    """A pipeline schedule that fills the bubble."""
    OVERLAPPED = "overlapped"
    """Generation, writing or communication runs beside the training step."""
    RAMPED = "ramped"
    STAGED = "staged"
    PACKED = "packed"
    PARTIAL = "partial"
    """The text is about only part of the data or of the run."""


BINDING = (Circumstance.ADAM, Circumstance.FULL, Circumstance.SHARDED, Circumstance.UNSHARDED)
"""These make numbers binding; the others excuse them, even when only hypothetical."""


class Stage(StrEnum):
    """The kind of training; numbers on one say nothing about another."""

    PRETRAINING = "pretraining"
    CONTINUED = "continued"
    FINE_TUNING = "fine_tuning"
    REWARD = "reward"
    PREFERENCE = "preference"


_SCORES = (
    r"attention (?:scores?|matri\w+|prob\w*|maps?)|score (?:matri\w+|tensors?)|softmax (?:matri\w+"
)
_SCORES += r"|outputs?)|probabilities"
_ASSERTED = r"(?!\b(?:not|never|no|n't|without)\b)[^.;]"
_CUES: dict[Circumstance, str] = {
    Circumstance.ADAM: r"mixed precision|adamw?\b|fp32 (?:master|adam|moments|optimi[sz]er|copy)"
    r"|master (?:copy|copies|weights)|(?:both|two|adam) moments|sixteen bytes|16 bytes",
    Circumstance.FULL: r"(?:weights?|param\w*|grad\w*|optimi[sz]er)(?: states?)?, (?:weights?"
    r"|param\w*|grad\w*|optimi[sz]er)(?: states?)?,? and (?:weights?|param\w*|grad\w*|optimi[sz]er)"
    r"|(?:full|fully|complete(?:ly)?) (?:fine ?tun|parameter|param|training)\w*|full ft\b"
    r"|sft in full|(?:all|every|each|whole)(?: of)?(?: (?:the|its))?(?: \w+){0,3} (?:weights?"
    r"|param\w*|layers?|one of its)|whole model|end to end|from scratch|pre ?train(?!ed (?:model"
    r"|checkpoint|weights))",
    Circumstance.SHARDED: r"(?:zero(?: stage)?|stage) (?:3|three)\b(?! of training)|zero iii\b"
    r"|fsdp|fully ?shard\w*|(?<!states )(?<!optimi[sz]er )shard(?:ed|ing)|hsdp",
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
    r"|nvme|ssd|ram\b|system memory)|cpu (?:ram|memory|adam|optimi[sz]er)|host (?:ram|memory)"
    r"|zero infinity|unified memory|swapp(?:ed|ing)|paged",
    Circumstance.FAILED: r"(?<!not )(?<!n't )(?<!never )(?<!no )(?:out of memory|\boom\b|o\.?o\.?m"
    r"|oom(?:ed|ing))|(?:did|does|do|would"
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
    Circumstance.PACKED: r"pack(?:ed|ing|s)?\b(?! of (?:cards|gpus))",
    Circumstance.SPARSITY: r"structured spars\w*|2:4(?: sparsity)?|with sparsity|sparse (?:tensor"
    r"|peak|flops)",
    Circumstance.RECOMPUTED: r"(?:activation|gradient) checkpointing|recomput\w+|remat\w*",
    Circumstance.FUSED_ATTENTION: r"flash ?att\w*|fused attention|memory efficient attention"
    r"|xformers"
    r"|sdpa\b|flash ?decod\w*|fa[23]\b",
    Circumstance.TIED: r"tied\b|weight tying|shar(?:e|ed|ing) (?:the )?(?:in\w* and out\w* "
    r")?embed\w*",
    Circumstance.UNTIED: r"untied\b|not tied\b|separate (?:in\w* and out\w* )?embeddings?",
    Circumstance.EXACT_KL: r"exact kl\b|kl\b(?: \S+){0,12} (?:exact(?:ly)?\b|full sum"
    r"|(?:whole|full|entire) vocab)",
    Circumstance.LATENT: r"mla\b|latents?\b",
    Circumstance.FOUR_MODELS: r"four (?:[\w-]+ ){0,3}models|critics?\b|value model",
    Circumstance.COMPRESSED: r"gzip\w*|zstd|compressed|parquet|zipped",
    Circumstance.FULL_CHECKPOINT: r"everything (?:for|needed|to) \w+|(?:with|including|plus"
    r"|and)(?: "
    r"the| both| all)?(?: fp32)? (?:optimi[sz]er|moments|adam)\w*|full checkpoints?|for resuming"
    r"|full (?:training )?state|m \+ v\b|14 bytes|12 bytes|resum(?:e|able)",
    Circumstance.WEIGHTS_ONLY: r"(?:only|just)(?: \w+){0,3} weights|weights (?:only|alone)",
    Circumstance.ZERO_BUBBLE: r"zero bubble|zb h\d|dual ?pipe|zb ?v\b",
    Circumstance.OVERLAPPED: r"overlap\w*|async\w*|hidden behind|in the background|hides? behind"
    r"|in parallel with",
    Circumstance.FORWARD_ONLY: r"(?<!no )(?<!than )serv(?:ing|ed)\b|inference|vllm|text generation"
    r"|deployed|evaluat(?:ed|ing|ion)\b|benchmark(?:ed|ing)?\b|kv cache|labell?ed with|prefill",
    Circumstance.STORED: r"(?:no|without)(?: any)? (?:(?:activation|gradient) checkpointing"
    r"|re ?comput\w+|remat\w*)|all activations (?:are |were )?(?:kept|stored)|(?:kept|stored?"
    r"|keeps?)"
    r" all(?: the)? activations",
    Circumstance.PLAIN_ATTENTION: rf"(?:{_SCORES})\b(?:{_ASSERTED}){{0,90}}\b(?:kept|stored|saved"
    rf"|alive)\b|(?:kept|keeps?|stored?|saved?)\b(?:{_ASSERTED}){{0,40}}(?:{_SCORES})",
    Circumstance.UNTIED: r"untied|(?:not|n't) tied|no (?:weight )?tying|separate (?:in\w* and "
    r"out\w* )"
    r"?embed\w*",
    Circumstance.EXACT_KL: r"(?:full|exact|complete) sums? (?:over|of|across) (?:the )?vocab\w*"
    r"|(?:over|across) the (?:whole|full|entire|complete) vocab\w*|exact kl|computed exactly"
    r"|kl(?: \w+){0,6} exactly|analytic\w* kl",
    Circumstance.PARTIAL: r"subset|subsampl|(?<!all )sampled|part of (?:it|the)|(?:pass(?:es)?"
    r"|epochs?) (?:on|over|through|of)(?: the)? (?:code|web|math\w*|books?|wiki\w*|papers)|(?:part"
    r"|portion|share) (?:is|was|had|has)|fraction|(?:a|one|first) (?:half|third|quarter|tenth) of "
    r"(?:it|the|our|all|that)|early stop|stopped early|cut short|resumed|so far|still running"
    r"|not finished|upsampl|mixed (?:in|with)|weighted",
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
    r"(?:\b(?:no|not|never|nothing|without|neither|nor|none|instead of|rather than)"
    r"|n't)\b(?:(?!\b(?:so|but|because|until|then|when|we|i|which|since|and)\b)[^,.;:!?]){0,30}$"
    r"|\b(?:no|without)(?: any)?(?: [\w/]+){1,3}(?:,(?: (?:and|or|nor))?(?: [\w/]+){1,3})*,?(?: and"
    r"| or| nor)? (?:no |any )?$|\bnothing(?: [\w/]+){1,4} (?:or|nor|and) $"
    r"|\bbefore (?:we|i|anyone)(?: \w+){0,3} $"
)
_SWITCHED_OFF = re.compile(r"^\w* (?:was |were |is )?(?:off|disabled|unused|not used)\b")
_BESIDE_REWARD = re.compile(r"\b(?:policy|critic|actor|ppo|rlhf|grpo)\b")
_REACH = 80
_STANDING = (
    *(Circumstance.UNSHARDED, Circumstance.FAILED, Circumstance.STORED, Circumstance.UNTIED),
)
"""Their cues contain negators of their own."""


def circumstances(text: str) -> Iterator[tuple[int, Circumstance]]:
    """The circumstances that a sentence states and does not deny, with their places.

    The sentence is normalised, with spaces for hyphens in words.
    """
    first = _ANY_CUE.search(text)
    if first is None:
        return
    for name, cue in _CUE.items():
        for match in cue.finditer(text, first.start()):
            if name in _STANDING or not _is_denied(text, *match.span()):
                yield match.start(), name


def stages(text: str) -> Iterator[tuple[int, Stage]]:
    """The stages that a sentence mentions; the most specific of overlapping ones."""
    if not _ANY_STAGE.search(text):
        return
    taken = 0
    is_one_of_four = _BESIDE_REWARD.search(text)
    found = sorted(
        (match.start(), -match.end(), name)
        for name, cue in _STAGE_CUE.items()
        for match in cue.finditer(text)
        if not (is_one_of_four and name is Stage.REWARD)
    )
    for start, end, name in found:
        if start >= taken and not _is_denied(text, start, -end):
            yield start, name
            taken = -end


def _is_denied(text: str, start: int, end: int) -> bool:
    before, after = text[max(0, start - _REACH) : start], text[end : end + _REACH]
    return bool(_NEGATING.search(before) or _SWITCHED_OFF.search(after))


_TAG_QUESTION = re.compile(r"\b(?:right|ok|okay|yeah|no|correct|isn't it|you know)\?$")
_SUPPOSED = re.compile(r"\b(?:suppos(?:e|ing)|imagine|hypothetical\w*|assum(?:e|ing)|let's say)\b")
_HYPOTHETICAL = re.compile(
    r"\b(?:nobody|no one|noone) (?:would|could|can|has|have|trains?|does|is|will|needs?|ran|did)\b"
    r"|\bif (?!i (?:remember|recall|am|count)|i'm|memory|you (?:multiply|work|do|count|add|divide))"
    r"|\b(?:would|wouldn't|(?:i|we|you|it|they)'d(?! (?:an?|the|our|N|guess|describe|call|say|put"
    r"|add|argue|\w+ed|been|done|seen|had|got|run|gone|spent)\b)|(?:could|should|might"
    r"|must)(?: have|'ve)|in theory|theoretical\w*(?! (?:bubble|peak))|on paper|ideally|unless"
    r"|what if|rule of thumb"
    r"|(?:you|one)(?: also| still)? (?:needs?|wants?|(?:has|have) to)|(?<!as it )(?<!it )should "
    r"(?:take|be|need|give)"
    r"|for example|for instance)\b"
)
_INTENDED = re.compile(
    r"(?<!as )\b(?:plan(?:ned|ning)?(?! b\b)|hop(?:ed?|ing)|(?<!people )(?<!you )expect(?:ed"
    r"|ing)?|(?<!i )(?<!we )(?<!k[123] )(?<!carlo )estimat\w+"
    r"(?! (?:with|from|by|over|on|of the kl)\b)|projected"
    r"|budgeted|(?<!we )(?<!i )target\w*|goal|aim(?:ed|ing)?|wanted(?! (?:it|them|this|that)\b)"
    r"|forecast\w*|wish\w*|promised|asked for|proposed"
    r"|going to|intended|meant to|swept|sweep(?:ing)? (?:over|of)|compared|grid search"
    r"|tr(?:ied|ying) (?:out|batch|learning|several|different|various|both|a few|all))\b"
)
_FULFILLED = re.compile(
    r"\b(?:that(?:'s| is| was)(?: also)? what (?:it|we|i|they)|which is what|(?:and|so) (?:we|i) "
    r"got (?:it|that|there)|and (?:so )?(?:it|that) (?:was|did|worked|held|gave)|as planned|we hit "
    r"it)\b"
)
_CONTRAST = re.compile(
    r"^\W*(?:but|in reality|in practice|in the end|however|actually|instead|we ended)\b"
)
NAMES = (
    r"(?:llama|chinchilla|gopher|gpt|palm|bloom|opt(?=[ -]\d)|falcon|mistral|mixtral|qwen"
    r"|deepseek|gemini"
    r"|gemma|megatron|bert|roberta|pythia|olmo|mpt|phi|yi|baichuan|glm|nemotron|grok|claude"
    r"|tinyllama|nanogpt|starcoder|stablelm|kimi|meta|google|openai|deepmind|anthropic|nvidia"
    r"|microsoft|bigscience|eleuther(?:ai)?|hugging ?face|kaplan|hoffmann|mosaic(?:ml)?|databricks"
    r"|alibaba|bytedance|moonshot|facebook|xai)"
)
"""Models, and those who train them."""
_DID = (
    r"(?:used?|uses|was|were|is|are|took|takes|had|has|have|trained|trains|reports?|reported"
    r"|quotes?|quoted|says?|said|claims?|claimed|states?|stated|saw|needed|needs|did|got|burned"
    r"|burnt|spent|went|consumed|cost|lists?|gives?|gave|mentions?|mentioned|describes?|ran|shows?"
    r"|showed|reached|hit|wrote|talks?|recommends?|suggests?|put|published|goes|ended|finished)"
)
_SOURCE = r"(?:papers?|reports?|authors?|blog(?: posts?)?|posts?|articles?|literature|tech report)"
_PEOPLE = (
    r"(?:(?:people|someone|somebody)(?: else)?|(?:an)?other (?:team|group|lab|company)s?|a friend"
    r"|colleagues?|competitors?|(?:the )?(?:marketing|sales|vendor|press|brochure|spec sheet)"
    r"|(?:the|a) (?:team|group|lab|people|guys|folks) (?:next door|upstairs|downstairs|across \w+"
    r" \w+|down the \w+|(?:in|from|at) (?!our|my)[\w ]{1,20}?))"
    r"(?: (?:in|at|from|on|of) (?:my|our|the|another) [a-z]+)?"
)
"""Those whose numbers are not the candidate's."""
_OTHERS = re.compile(
    rf"(?<!on the )(?<!of the )(?<!for the )(?<!our )\b{NAMES}(?:'s)?(?: (?:team|people|folks"
    rf"|guys|{_SOURCE}|models?|run|technical|lab|one"
    rf"|et al\.?|N|B|[vr]?\d[\w.]*|{NAMES}|large|base|chat|instruct|itself|alone))*,? (?:\w+ly "
    rf")?{_DID}\b|\b(?:the|that|their|this|a|his|another)(?: [\w']+){{0,3}} {_SOURCE} (?:\w+ly "
    rf")?{_DID}\b|(?<!as )(?<!like )(?<!than )(?<!same )\b(?:in|from|by) (?:the|their|that"
    rf"|this)(?: [\w']+){{0,3}} {_SOURCE}\b|\baccording to(?! (?:du|nvidia|wandb|the"
    rf" (?:logs?|trace|profiler|dashboard|trainer|counter))\b)|\breportedly\b|\bi(?:'ve)? (?:read"
    rf"|heard)\b|\bwhat {NAMES} (?:does|did|uses?|used)\b|\b{_PEOPLE} {_DID}\b"
    r"|\bthey (?:trained|used|report(?:ed)?|say|said|claim(?:ed)?|quoted?|published|wrote|spent)\b"
)
_ORIGIN = re.compile(
    r"\b(?:which|that) (?:has|had|have) B tokens (?:already|before|in it|behind it)\b|\bthe (?:base"
    r"|backbone|checkpoint)(?: model| checkpoint)? (?:had|saw|has|was trained)\b[^;.]*|\b(?:which"
    r"|that) (?:has|had|have|was|were)(?: already| itself| been)* (?:seen|(?:pre ?)?trained)\b"
    rf"[^,;.]*|\btrained by {NAMES}\b[^,;.]*"
    rf"|\b{NAMES}\b(?: [NB]| [a-z]+){{0,2}} with (?:its|their) [^,;.]*"
)
"""Where a model came from before the candidate got it."""
_OWN = re.compile(
    r"\b(?:i've|we've|we're|i'm|we|our|ours|us|i|my|mine)(?!['\w])"
    r"(?<!\bin my)(?<!\bin our)(?<!\bat my)(?<!\bat our)"
    r"(?! (?:read|heard|know|believe|think|recall|remember|quote(?:d)? (?:the|from|them)))"
)
_PART = re.compile(
    r"[,;]? (?=(?:but|whereas|while|in reality|in practice|in the end|however|instead)\b)"
    r"|(?:,| and)(?= (?:so |then )?(?:we|our|ours|i|my)\b)"
)
_PRONOUN = re.compile(r"^(?:and |so )?(?:they|their|it|its|that|this)\b")
_NEGATED = re.compile(
    r"(?:\bnot(?! only| just| more| less| counting)|n't|\bnever|\brather than|\binstead "
    r"of(?!(?: \w+){1,3} (?:we|i) )"
    r"|\bas opposed to)\b(?:(?!\b(?:and|but|so|because|since|which|it's|when"
    r"|until)\b)[^,.;:!?]){0,25}$"
)
_NEGATION_REACH = 40


def real_stretches(sentences: Iterable[str]) -> Iterator[list[Span]]:
    """For each sentence in shorthand, the stretches in which a number counts as a claim."""
    supposed = of_others = False
    for text in sentences:
        real: list[Span] = []
        supposed = (supposed and not _OWN_PAST.search(text)) or bool(_SUPPOSED.search(text))
        of_others = of_others and bool(_PRONOUN.search(text))
        hypothetical = supposed or _is_question(text)
        for start, end in _parts(text):
            part = text[start:end]
            hypothetical = _is_hypothetical(text, part, hypothetical)
            of_others = (of_others or bool(_OTHERS.search(part))) and not _OWN.search(part)
            if not (hypothetical or of_others):
                real += _without_origins(text, start, end)
        yield real


_OWN_PAST = re.compile(
    r"\b(?:in reality|actually|in practice)\b|\b(?:we|i) (?:had|used|trained|ran|did|got|spent)\b"
)


def _is_question(text: str) -> bool:
    return text.endswith("?") and not _TAG_QUESTION.search(text)


def _is_hypothetical(sentence: str, part: str, before: bool) -> bool:
    """A part stays hypothetical like the part before it until a contrast such as "but"."""
    if _HYPOTHETICAL.search(part):
        return True
    if _INTENDED.search(part) and not _FULFILLED.search(sentence):
        return True
    return before and not _CONTRAST.search(part)


def _without_origins(text: str, start: int, end: int) -> Iterator[Span]:
    for origin in _ORIGIN.finditer(text, start, end):
        yield start, origin.start()
        start = origin.end()
    yield start, end


def _parts(text: str) -> Iterator[Span]:
    start = 0
    for cut in _PART.finditer(text):
        yield start, cut.end()
        start = cut.end()
    yield start, len(text)


def is_negated(text: str, place: int) -> bool:
    """The amount at ``place`` is negated ("not 64 GPUs")."""
    return bool(_NEGATED.search(text[max(0, place - _NEGATION_REACH) : place]))
