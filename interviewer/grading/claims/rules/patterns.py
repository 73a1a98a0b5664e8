"""What an amount measures, by the words it stands with: a table, ranked within each head word.

``row(letters, heads, measure, …)``: an amount of one of these letters (see :mod:`.sentence`) that
stands with one of the head terms (see :mod:`.vocabulary`), behind it as in "64 sequences" or before
it as in "the batch was 64". A row without a head is for amounts that no word around them names. The
heads nearest to an amount are tried first, and of the rows of one head the first that fits wins. A
row without a measure is for amounts that no relation is about.
"""

from __future__ import annotations

from interviewer.grading.claims.claim import Measure as M
from interviewer.grading.claims.rules.rows import RL, SERVING, Rows
from interviewer.grading.units import SECONDS

ROWS = Rows()
row = ROWS.add

# fmt: off
_N, _COUNT = "NB", "N"

# Tokens
row(_N, "token", None, near="core")
row(_N, "token", None, near="held_out")
row(_N, "token", M.DEVICE_THROUGHPUT, per="second card", off="generating")
row(_N, "token", M.DEVICE_THROUGHPUT, per="second rank", off="generating")
row(_N, "token", M.NODE_THROUGHPUT, per="second node", off="generating")
row(_N, "token", None, per="second card", about="generating rollout")
row(_N, "token", M.GENERATION_RATE, per="second", about="generating rollout response")
row(_N, "token", M.THROUGHPUT, per="second", off="serving served request requests")
for _long in ("minute", "hour", "day", "week"):
    row(_N, "token", M.DEVICE_THROUGHPUT, per=f"{_long} card", factor=1 / SECONDS[_long])
    row(_N, "token", M.THROUGHPUT, per=_long, factor=1 / SECONDS[_long])
row(_N, "token", M.SEQUENCE_LENGTH, per="example", about=SERVING, off="sft lora dpo epoch train")
row(_N, "token", M.EXAMPLE_LENGTH, per="example")
row(_N, "token", M.DOCUMENT_LENGTH, per="document")
row(_N, "token", M.RESPONSE_LENGTH, per="response")
row(_N, "token", M.RESPONSE_LENGTH, per="rollout")
row(_N, "token", M.EXAMPLE_LENGTH, per="seq", near="average mean avg averaging averaged")
row(_N, "token", M.SEQUENCE_LENGTH, per="seq", low=16)
row(_N, "token", M.SEQUENCE_LENGTH, per="microbatch seq", low=16)
row(_N, "token", M.RESPONSE_LENGTH, near="average mean avg averaging", about="rollout", high=1e5)
row(_N, "token", M.ROLLOUT_TOKENS, per="step", low=2000, near="rollout generating generated")
row(_N, "token", M.BATCH_TOKENS, per="step", low=1000)
row(_N, "token", M.BATCH_TOKENS, per="batch", low=1000)
row(_N, "token", None, per="param")
row(_N, "token", None, per="card")
row(_N, "token", None, per="node")
row(_N, "token", M.SEQUENCE_LENGTH, per="request", low=16)
row(_N, "token", M.DATASET_TOKENS, per="epoch", low=1e6)
row(_N, "token", M.RESPONSE_LENGTH, led="response rollout", side=">", high=1e5)
row(_N, "token", M.RESPONSE_LENGTH, near="response rollout", side=">", high=1e5, never="batch")
row(_N, "token", M.DOCUMENT_LENGTH, led="document", side=">", high=1e6)
row(_N, "token", M.EXAMPLE_LENGTH, led="example example_length", side=">", high=1e6)
row(_N, "token", M.EXAMPLE_LENGTH, near="average mean avg averaging", about="example", high=1e5)
row(_N, "token", M.RESPONSE_LENGTH, near="average mean avg averaging", about=RL, high=1e5)
row(_N, "token", M.DOCUMENT_LENGTH, near="average mean avg averaging", about="document", high=1e5)
row(_N, "token", M.BATCH_TOKENS, near="batch", low=1000, high=1e8, never="corpus")
row(_N, "token", M.BATCH_TOKENS, near="each", about="step", low=1000, high=3e7, side=">")
row(_N, "token", M.SEQUENCE_LENGTH, near="length long sequence", high=2e6, side=">", low=16)
row("B", "token", M.GENERATED_TOKENS, near="generated output synthetic api",
    off="trained training")
row("B", "token", M.DATASET_TOKENS, led="corpus", side=">")
row("B", "token", M.DATASET_TOKENS, near="unique distinct deduped deduplicated dedup "
    "deduplication", never="passes saw seen times total trained consumed through went ran")
row(_N, "token", M.DATASET_TOKENS, side=">", low=1e5, near="crawled collected gathered scraped "
    "licensed bought acquired assembled curated synthesised synthesized cleaned "
    "filtered filtering cleaning memmap size large",
    never="trained train training passes")
row("B", "token", M.DATASET_TOKENS, side=">", about="ids gzipped tokeniser tokenizer "
    "document utf8 uncompressed uncompressed_text plain_text raw_text",
    off="trained training train steps step saw seen pretrained pretraining")
row("B", "token", M.DATASET_TOKENS, side=">", near="copy portion")
row("B", "token", M.ROLLOUT_TOKENS, near="generated", about=RL)
row("B", "token", M.BATCH_TOKENS, per="", high=3e7, about="batch step",
    off="corpus example epoch")
row(_N, "token", M.CACHED_TOKENS, side=">", low=1e4, high=1e9, near="resident cached held",
    about="cache kvhead", off="train trained training")
row("B", "token", M.TOKENS, per="")
row(_COUNT, "token", M.TOKENS, low=1e6, per="")
row(_COUNT, "token", M.SEQUENCE_LENGTH, side=">", low=64, high=2e6,
    near="context window prompt limit truncated cut packed pack position filled full fills")
row(_N, "token", M.SEQUENCE_LENGTH, side=">", low=256, high=1.4e5, per="", about="cache kvhead",
    off="train trained training batch")
row(_COUNT, "position", M.SEQUENCE_LENGTH, side=">", low=64)

# Steps
for _long in ("second", "minute", "hour", "day"):
    row(_COUNT, "step", M.STEP_TIME, per=_long, factor=-SECONDS[_long])
row(_N, "step", None, per="epoch")
row(_N, "step", None, side=">", near="accumulation warmup inner")
row(_N, "step", M.STEPS, side=">")
row(_N, "step", M.STEPS, per="", side="<", reach=0, low=300)
row(_N, "step", M.STEPS, side="<", reach=2, never="tokens token every each per")
row("T", "step", M.ALL_REDUCE_TIME, per="step", near="allreduce", side="<", reach=6)
row("T", "step", None, near="update", about="generating rollout")
row("T", "step", M.STEP_TIME, side="<", reach=6, never="steps updates iterations every")
row("T", "step", M.STEP_TIME, side=">", reach=3)

# Sequences and batches
row(_COUNT, "seq", M.SAMPLE_RATE, per="second card", factor=0.0)
row(_COUNT, "seq", M.SAMPLE_RATE, per="second")
row(_COUNT, "seq", M.GROUP_SIZE, per="prompt", high=4096)
row(_COUNT, "seq", M.GROUP_SIZE, per="group", high=4096)
row(_COUNT, "seq", M.BEST_OF, near="best", about=RL)
row(_COUNT, "seq", M.MICRO_BATCH, per="microbatch", side=">")
row(_COUNT, "seq", M.MICRO_BATCH, per="card", side=">")
row(_COUNT, "seq", M.MICRO_BATCH, per="rank", side=">")
row(_COUNT, "seq", M.MICRO_BATCH, per="forward", side=">")
row(_COUNT, "seq", M.MICRO_BATCH, near="microbatch", never="batch", side=">")
row(_COUNT, "seq", M.SEQUENCE_LENGTH, per="seq", low=16)
row(_COUNT, "seq", M.CACHED_SEQUENCES, about=SERVING, side=">", off="step batch train")
row(_COUNT, "seq", M.SEQUENCE_LENGTH, side=">", low=256, near="sequence sample request",
    never="batch")
row(_COUNT, "seq", M.MICRO_BATCH, side=">", high=1, about="microbatch activations scores cp layer")
row(_COUNT, "seq", M.BATCH_SEQUENCES, per="step", side=">")
row(_COUNT, "seq", M.BATCH_SEQUENCES, per="batch", side=">")
row(_N, "seq", M.EXAMPLES, side=">", low=1000, never="batch step each",
    near="dataset corpus sft examples had collected epochs epoch fine tuning mil")
row(_N, "seq", M.EXAMPLES, side=">", low=3e5)
row(_COUNT, "seq", M.SEQUENCE_LENGTH, side="<", reach=2, low=128, never="batch")
row(_COUNT, "seq", M.BATCH_SEQUENCES, side=">", near="batch step x × of at", off="eval evaluation")
row(_COUNT, "seq", M.EXAMPLES, side=">", low=1000, about="epoch example sft lora dpo")
row(_COUNT, "seq", M.BATCH_SEQUENCES, side=">", low=16, off="eval evaluation request cache")
row("N", "batch", None, side=">", high=1)
row("B", "batch", M.BATCH_TOKENS)
row(_N, "batch", M.BATCH_TOKENS, near="token tokens", low=20_000)
row(_COUNT, "batch", M.ACCUMULATION, side=">", near="accumulated accumulate accumulation")
row(_COUNT, "batch", M.MICRO_BATCH, per="card")
row(_COUNT, "batch", M.MICRO_BATCH, per="rank")
row(_N, "batch", M.STEPS, side=">", low=300, near="batches mini", never="sequences per")
row(_COUNT, "batch", M.BATCH_SEQUENCES, high=3e5)
row(_COUNT, "microbatch", M.MICRO_BATCHES, side=">",
    about="bubble 1f1b gpipe pp interleaved stages",
    never="accumulated accumulation accumulate")
row(_COUNT, "microbatch", M.MICRO_BATCH, side="<", reach=3)
row(_COUNT, "microbatch", M.ACCUMULATION, side=">")
row(_COUNT, "accumulation", M.ACCUMULATION, reach=4)
row("X", "accumulation", M.ACCUMULATION, reach=4)
row("T", "microbatch", M.MICRO_STEP_TIME, reach=4, high=600)
row("T", "batch", M.STEP_TIME, side="<", reach=6, high=600)
row(_COUNT, "length", M.RESPONSE_LENGTH, near="response rollout mean average avg averaging",
    about=RL, high=1e5)
row(_N, "length", M.SEQUENCE_LENGTH, low=64, high=1.2e7, reach=4)
row(_N, "example_length", M.RESPONSE_LENGTH, about="rollout grpo ppo generating rl group prompt")
row(_N, "example_length", M.EXAMPLE_LENGTH, high=1e6)
row(_N, "example", None, per="second")
row(_COUNT, "example", M.BATCH_SEQUENCES, per="step")
row(_COUNT, "example", M.BATCH_SEQUENCES, per="batch")
row(_COUNT, "example", M.BATCH_SEQUENCES, near="batch", high=8192)
row(_N, "example", M.CACHED_SEQUENCES, side=">", high=1e5, about=SERVING,
    off="sft lora dpo epoch train trained training")
row(_COUNT, "example", M.MICRO_BATCH, per="card")
row(_N, "example", None, near="held_out")
row(_N, "example", M.EXAMPLES, low=100, side=">")
row(_N, "example", M.EXAMPLES, low=100, side="<", reach=2)
row("NX", "epoch", M.EPOCHS, reach=3, never="of_warm first next checkpoint every last")
row("N", "epoch", None, reach=3)
row("X", "corpus", M.EPOCHS, reach=8)
row("B", "corpus", M.DATASET_TOKENS, reach=5,
    never="through saw consumed trained total seen went passes examples pairs documents")
row(_N, "corpus", M.DATASET_TOKENS, near="token tokens", low=1e5, reach=4,
    never="examples pairs trained consumed")
row("N", "corpus", M.EXAMPLES, low=1000, reach=3, about="example sft lora dpo", never="tokens")
row("T", "epoch", None, reach=2)
row("X", "", M.EPOCHS, about="saw seen show showed shown read used repeated visited fed reused",
    near="example corpus token seq")
row("X", "", M.EPOCHS, near="over through saw seen read went used shown repeated passed "
    "data everything repeat trained visited reused fed showed all")
row("N", "b_=", M.MICRO_BATCH, side="<", reach=1, high=32)
row("N", "b_=", M.BATCH_SEQUENCES, side="<", reach=1)
row("N", "d_=", M.WIDTH, side="<", reach=1, low=256)
row("B", "d_=", M.TOKENS, side="<", reach=1)
row("N", "h_=", M.HEADS, side="<", reach=1, high=256)
row("N", "h_=", M.WIDTH, side="<", reach=1, low=512)
row("N", "m_=", M.MICRO_BATCHES, side="<", reach=1, about="bubble 1f1b gpipe pp")
row("B", "n_=", M.PARAMETERS, side="<", reach=1)
row("N", "p_=", M.PIPELINE_STAGES, side="<", reach=1, about="bubble 1f1b gpipe pp")
row("N", "g_=", M.GROUP_SIZE, side="<", reach=1, high=256, about=RL)
row("N", "gpu_hour", M.DEVICE_TIME, side="<", factor=3600.0, reach=8)

# Devices
row(_COUNT, "card", None, side=">", near="died failed crashed broke dead down broken idle "
    "spare faulty lost")
row(_COUNT, "card", M.NODE_GPUS, per="node", side=">")
row(_COUNT, "card", M.NODE_GPUS, per="dgx", side=">")
row(_COUNT, "card", None, per="rank", side=">")
row(_COUNT, "card", M.GPUS, side=">")
row(_COUNT, "card", M.GPUS, side="<", near="x * ×", reach=1)
row(_COUNT, "cluster", M.GPUS, side="<", reach=1, low=2, never="node nodes")
row("N", "", M.SEQUENCE_LENGTH, per="seq", low=64)
row("N", "", M.MICRO_BATCH, per="microbatch", high=4096)
row("N", "", M.BATCH_SEQUENCES, per="batch")
row("B", "", M.BATCH_TOKENS, per="step")
row("B", "", M.BATCH_TOKENS, per="batch")
row("N", "", M.RESPONSE_LENGTH, per="response", low=8)
row(_COUNT, "", M.NODE_GPUS, per="node", low=2, high=128)
row(_COUNT, "", M.NODE_GPUS, per="dgx", high=128)
row(_COUNT, "node", M.NODES, side=">")
row(_COUNT, "dgx", M.NODES, side=">")
row(_COUNT, "rank", M.RANK, side="<", reach=2,
    about="lora qlora adapter trainable peft dora linears")
row(_COUNT, "rank", M.DATA_PARALLEL, side=">", low=2)
row(_COUNT, "lora_rank", M.RANK, reach=2)
for _head, _measure in (
    *(("dp", M.DATA_PARALLEL), ("tp", M.TENSOR_PARALLEL), ("pp", M.PIPELINE_STAGES)),
    *(("ep", M.EXPERT_PARALLEL), ("cp", M.CONTEXT_PARALLEL)),
):
    row(_COUNT, _head, _measure, reach=3)
row("B", "ids", M.DATASET_TOKENS, side="<", reach=2)
row(_COUNT, "zero", None, reach=1)
row(_COUNT, "stage", None, side="<", reach=1)
row(_COUNT, "stage", M.PIPELINE_STAGES, side=">",
    about="pp bubble microbatch 1f1b gpipe chunk interleaved interleaving layer", high=512)
row(_COUNT, "chunk", M.VIRTUAL_STAGES, reach=2, about="pp stage bubble interleaved 1f1b",
    off="logits logit")
row("P", "bubble", M.BUBBLE, reach=10)
row("P", "idle", M.BUBBLE, reach=8, about="pp stage 1f1b gpipe")
row(_COUNT, "bubble", M.BUBBLE, reach=1, low=4, high=95, factor=0.01)

# The model
row(_N, "active", M.ACTIVE_EXPERTS, high=64, about="expert", near="expert experts")
row("B", "active", M.ACTIVE_PARAMETERS, reach=5)
row(_COUNT, "active", M.ACTIVE_EXPERTS, high=64, about="expert")
row(_N, "trainable", M.TRAINABLE_PARAMETERS, low=1e4, reach=4)
row("P", "trainable", M.TRAINABLE_SHARE, reach=5)
row("P", "model param", M.TRAINABLE_SHARE, about="trainable adapter lora", side=">")
row(_N, "param weights", None, per="token")
row("B", "param weights", M.EXPERT_PARAMETERS, per="expert", side=">")
row(_N, "param weights", M.TRAINABLE_PARAMETERS, low=1e4, side=">", near="trainable adapter "
    "lora adapters training trained train rank tune updated", about="lora lora_rank", high=3e9)
row(_N, "param weights", M.TRAINABLE_PARAMETERS, low=1e4, high=3e8, side=">",
    about="lora lora_rank", never="model")
row(_N, "param weights", M.ACTIVE_PARAMETERS, low=1e6, near="active activated", side=">")
row(_N, "param weights", None, near="embedding added adds extra head", side=">")
row(_N, "param", M.PARAMETERS, reach=4, low=1e6)
row("B", "", None, per="param")
row("B", "weights grad optimizer", None, side=">", about="grad", high=1.9e10)
row("B", "weights", M.PARAMETERS, side=">")
row("B", "model", M.PARAMETERS, side=">")
row("B", "model", M.PARAMETERS, side="<", reach=0, never="token tokens")
for _stage in ("pp", "stage"):
    row(_COUNT, "layer", M.STAGE_LAYERS, per=_stage, side=">")
    row(_COUNT, "", M.STAGE_LAYERS, per=_stage, about="layer", high=200,
        near="owns own holds hold has gets get each of")
row(_COUNT, "layer", M.LAYERS, never="each stage per linear", reach=3)
row(_COUNT, "width", M.WIDTH, low=64, reach=3)
row(_COUNT, "ffn", M.FFN_WIDTH, low=256, reach=3)
row(_COUNT, "kvhead", M.KV_HEADS, reach=3)
row(_COUNT, "headdim", M.HEAD_WIDTH, reach=3, low=8)
row(_COUNT, "dimension", M.HEAD_WIDTH, reach=2, low=8, near="head kvhead", side="<")
row(_COUNT, "dimension", M.WIDTH, reach=2, low=64, side="<")
row(_COUNT, "head", M.KV_HEADS, side=">", near="kv key value kvhead")
row(_COUNT, "head", M.HEADS, side=">")
row(_COUNT, "head", M.HEAD_WIDTH, per="head", low=8)
row("N", "vocab", M.VIRTUAL_STAGES, side="<", reach=1, high=16, about="bubble interleaved")
row(_N, "vocab", M.VOCABULARY, low=100, high=2e6, reach=3)
row(_COUNT, "latent", M.LATENT_WIDTH, reach=3, low=16)
row(_COUNT, "top", M.ACTIVE_EXPERTS, side="<", reach=0, high=64, about="expert moe")
row("B", "expert", None, reach=3)
row(_COUNT, "expert", M.ACTIVE_EXPERTS, side=">", per="token", high=64)
row(_COUNT, "expert", M.ACTIVE_EXPERTS, side=">", high=64, near="active top activates "
    "picks chooses routed used top-k")
row(_COUNT, "expert", M.EXPERTS, side=">")
row(_N, "embedding", None)

# Rates of work
row("P", "hfu", M.HFU, reach=8)
row("P", "mfu peak", M.MFU, reach=8, never="gpu_memory memory bandwidth utilization_of",
    off="link")
row(_COUNT, "hfu", M.HFU, reach=8, low=5, high=100, factor=0.01)
row(_COUNT, "mfu", M.MFU, reach=4, low=2, high=100, factor=0.01)
row(_COUNT, "hfu", M.HFU, reach=3, high=1)
row(_COUNT, "mfu", M.MFU, reach=3, high=1)
row("F", "step", M.STEP_FLOPS, per="step", low=5e15)
row("F", "peak", M.PEAK, low=5e13, high=5e15, reach=3, side=">")
row("F", "", None, per="token")
row("F", "", M.STEP_FLOPS, per="step", low=1e14)
row("F", "", M.TOTAL_FLOPS, per="second", low=5e15)
row("F", "", M.TOTAL_FLOPS, per="", near="total overall together cluster aggregate", low=1e14,
    high=1e20)
row("F", "", M.DEVICE_FLOPS, low=5e12, high=5e15)
row("F", "", M.RUN_FLOPS, low=1e18)
row(_N, "throughput", M.DEVICE_THROUGHPUT, per="card", reach=6)
row(_N, "throughput", M.THROUGHPUT, reach=4, low=100, never="generating")
row("T", "throughput", None, reach=1)
row(_COUNT, "lr", M.LEARNING_RATE, reach=5)
row("W", "throughput", None, reach=2)

# Money
row("D", "", None, near="core")
row("D", "", M.NODE_PRICE, per="node_hour", factor=1 / 3600, high=1000)
row("D", "", M.NODE_PRICE, per="hour", near="node dgx", factor=1 / 3600, low=6, high=1000)
row("D", "", None, per="hour", near="node dgx")
for _each in ("day", "month", "node", "example", "document", "turn"):
    row("D", "", None, per=_each)
row("D", "", M.PRICE, per="hour", factor=1 / 3600, high=100)
row("D", "", M.PRICE, per="gpu_hour", factor=1 / 3600, high=100)
row("D", "", M.TOKEN_PRICE, per="token", near="million mil m", factor=1e-6)
row("D", "", M.TOKEN_PRICE, per="token", near="thousand 1k 1,000", factor=1e-3)
row("D", "", None, per="token")
row("D", "price card", M.PRICE, side="<", factor=1 / 3600, high=12, reach=3)
row("D", "", M.PRICE, factor=1 / 3600, high=12, near="at @ hourly costs apiece rented",
    never="about so")
row("D", "", None, per="card")
row("D", "cost", M.COST, reach=8, low=15)
row("D", "", M.COST, low=15, about="cost price card gpu_hour",
    off="quote vendor annotators labellers audio salary api annotation")
row("H", "", None, per="turn")
row("H", "", None, near="both them")
row("H", "", M.DEVICE_TIME)
# fmt: on
