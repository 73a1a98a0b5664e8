"""The rows for memory, files, links, rollouts and losses; see :mod:`.patterns`."""

from __future__ import annotations

from interviewer.grading.claims.claim import Measure as M
from interviewer.grading.claims.rules.rows import RL, SERVING, Rows

ROWS = Rows()
row = ROWS.add

# fmt: off
# Memory
row("M", "card", M.GPU_MEMORY, side=">")
row("M", "card", M.GPU_MEMORY, side="<", reach=0)
row("M", "card", M.GPU_MEMORY, side="<", reach=1, near="with has have")
row("W", "memory", None)
row("M", "usage", M.USED_MEMORY, reach=8, low=1e8)
row("M", "memory", M.GPU_MEMORY, side=">", near="hbm vram card has have of each",
    never="use used uses peak took")
row("M", "grad", M.MESSAGE_SIZE, about="allreduce link", reach=8, off="zero sharded fsdp")
row("M", "weights grad optimizer states gather pcie host_memory", M.HOST_BYTES, reach=12, low=1e8,
    about="host_memory", near="host_memory pcie move moved moving push pushed copy copied copying "
    "transfer load loaded loading bring brought swap swapped swapping exchange")
row("M", "weights", M.MESSAGE_SIZE, near="copy gather link loading load host pull",
    about="link gather", reach=8)
for _last, _others in (("optimizer", ("grad", "weights")), ("weights", ("optimizer", "grad"))):
    row("M", _last, M.STATE_MEMORY, per="card", near=_others[0], about=_others[1], side="<",
        reach=8)
    row("M", _last, M.STATE_TOTAL, near=_others[0], about=_others[1], side="<", reach=5, low=1e6)
for _head, _each, _all in (
    ("weights", M.WEIGHT_MEMORY, M.WEIGHT_TOTAL),
    ("grad", M.GRADIENT_MEMORY, M.GRADIENT_TOTAL),
    ("optimizer", M.OPTIMIZER_MEMORY, M.OPTIMIZER_TOTAL),
    ("states", M.STATE_MEMORY, M.STATE_TOTAL),
):
    row("M", _head, _each, per="card", reach=10, low=1e6)
    row("M", _head, _each, per="rank", reach=10, low=1e6)
    row("M", _head, _all, reach=5, low=1e6)

row("M", "variant", M.GPU_MEMORY)
row("M", "activations", M.ACTIVATION_MEMORY, reach=10)
row("M", "scores", M.SCORE_MEMORY, reach=14)
row("M", "logits", M.LOGIT_MEMORY, reach=14)
row("M", "", M.SCORE_MEMORY, near="matrices", about="scores", off="weights gradients optimizer")
row("M", "", M.LOGIT_MEMORY, near="tensor", about="logits vocab", off="activations gradients")
row("M", "cache", M.TOKEN_CACHE, per="token", high=1e8, reach=10)
row("M", "cache", M.CACHE_MEMORY, low=1e6, reach=10)
row("M", "", M.TOKEN_CACHE, per="token", high=1e8, about=SERVING + " kvhead latent heads")
row("M", "lora", M.ADAPTER_SIZE, reach=6, high=2e10)
row("M", "memory", M.USED_MEMORY, side="<", reach=4, near="peak used use uses took")
row("M", "", M.CACHE_MEMORY, low=1e6, near="request conversation user session resident window",
    about="cache kvhead", off="optimizer gradients checkpoint")
row("M", "", M.USED_MEMORY, near="sat sits peaked hovered hovering topped", low=1e9,
    about="card memory node rank", off="disk checkpoint corpus")
row("Q", "cache", M.CACHE_BYTES, reach=4)
row("Q", "weights", M.WEIGHT_BYTES, reach=4, never="grad gradients master")
row("Q", "model param", M.WEIGHT_BYTES, side="<", reach=3, never="grad master moments")
row("Q", "", M.WEIGHT_BYTES, high=0.6)
row("Q", "", M.WEIGHT_BYTES, about="served serving inference vllm",
    off="cache train trained")
row("M", "", M.STATE_BYTES, near="times x ×", low=6, high=24,
    about="zero param states optimizer fsdp sharded")
row("M", "", None, per="param", low=17)
row("M", "", M.STATE_BYTES, per="param", low=6, high=24)
row("M", "", None, per="param")
row("M", "param weights", M.STATE_BYTES, low=6, high=24, reach=3)

# Files
row("M", "checkpoint", None, per="layer")
row("M", "checkpoint", M.CHECKPOINT_SIZE, reach=12, low=1e6)
row("T", "checkpoint", None, reach=5, near="every each_time")
row("T", "checkpoint saving", M.CHECKPOINT_TIME, reach=12, high=36000,
    never="every between ran run weeks days", about="checkpoint saving")
row("W", "storage", M.STORAGE_RATE, reach=10)
row("W", "checkpoint saving", M.STORAGE_RATE, reach=10)
row("M", "on_disk", M.CHECKPOINT_SIZE, reach=10, low=1e6, about="checkpoint", off="corpus lora")
row("M", "on_disk", M.ADAPTER_SIZE, reach=10, high=2e10, about="lora trainable", off="corpus")
row("M", "on_disk token", M.TOKENISED_SIZE, reach=10, low=1e6, about="ids", side="<")
row("M", "on_disk", M.DATA_SIZE, reach=10, low=1e6, about="text corpus", off="checkpoint")
row("M", "ids", M.TOKENISED_SIZE, reach=10, low=1e6)
row("M", "text", M.DATA_SIZE, reach=10, low=1e6)
row("M", "document", M.DOCUMENT_BYTES, reach=4, low=50, high=1e7)
row("M", "", M.DOCUMENT_BYTES, about="document", near="mean average avg", low=50, high=1e7)
row("M", "corpus", M.DATA_SIZE, reach=8, low=1e6)
row("M", "", M.DATA_SIZE, near="text uncompressed utf8", about="tokenizer tokeniser corpus",
    low=1e6)
row("M", "token", M.TOKEN_BYTES, reach=4, low=1, high=16, side=">")
row("M", "", M.ID_BYTES, per="token", high=8, about="ids")
row("M", "", M.TOKEN_BYTES, per="token", high=16)
row("NB", "document", M.DOCUMENTS, per="", side=">", low=1000, about="token corpus crawled text",
    off="eval")
row("NB", "document", M.DOCUMENT_LENGTH, per="document", high=1e6)

# Links and collectives
row("W", "pcie host_memory", M.HOST_RATE, reach=8, about="host_memory")
row("W", "link pcie", M.BANDWIDTH, reach=12)
row("T", "allreduce", M.ALL_REDUCE_TIME, reach=12, high=7200)
row("T", "gather", M.HOST_TIME, reach=12, high=600, about="host_memory")
row("T", "gather", M.ALL_GATHER_TIME, reach=12, high=7200, about="link weights grad host")
row("T", "pcie host_memory", M.HOST_TIME, reach=14, high=600, about="host_memory")
row("T", "", M.HOST_TIME, about="pcie", high=600, near="timed measured clocked transfer copy whole "
    "exchange swap swapping moved")
row("M", "allreduce", M.MESSAGE_SIZE, reach=6)
row("M", "gather", M.MESSAGE_SIZE, reach=6, about="link weights grad optimizer host")
row("W", "allreduce gather", M.BANDWIDTH, reach=12)
row("W", "", None, low=1.9e12)
row("W", "", None, near="rails rail")
row("W", "", M.BANDWIDTH, about="link allreduce gather", off="storage")
row("W", "", M.STORAGE_RATE, about="checkpoint storage saving")
row("NB", "link", None)
row("T", "", M.GENERATION_TIME, per="step", near="generating rollout")
row("T", "", M.ALL_REDUCE_TIME, per="step", near="allreduce")
row("T", "", M.STEP_TIME, per="step", high=7200)
row("T", "", M.STEP_TIME, per="batch", high=7200)

# Rollouts
row("NB", "prompt", M.PROMPTS, per="step", about=RL)
row("NB", "prompt", M.RUN_PROMPTS, side=">", low=500, about=RL, per="",
    near="total consumed altogether overall", off="eval test held_out")
row("N", "prompt", M.GROUP_SIZE, per="prompt", side=">", about=RL, high=4096)
row("N", "prompt", M.BATCH_SEQUENCES, near="batch", off=RL.replace("prompt ", ""))
row("N", "prompt", M.PROMPTS, side=">", about="group rollout grpo ppo generating rl samples",
    never="total dataset held eval test evaluated", high=65536)
row("NB", "prompt", M.EXAMPLES, side=">", low=1000, about="example epoch sft dpo rl rlhf")
for _head in ("rollout", "response"):
    row("N", _head, M.GROUP_SIZE, per="prompt", side=">", high=4096)
    row("N", _head, M.GROUP_SIZE, per="group", side=">", high=4096)
    row("N", _head, M.ROLLOUTS, per="step", side=">")
row("NB", "rollout", M.GENERATION_RATE, per="second")
row("N", "rollout", M.ROLLOUTS, side=">", about="prompt step grpo ppo rl generating", high=1e7)
row("N", "rollout", None, side=">")
row("NB", "response", M.RESPONSE_LENGTH, side="<", reach=3, low=8, high=2e5)
row("N", "group", M.GROUP_SIZE, side="<", reach=2, high=4096)
row("T", "generating rollout", M.GENERATION_TIME, reach=10, high=86400)
row("N", "", M.GROUP_SIZE, per="prompt", high=4096, about=RL)
row("N", "", M.GROUP_SIZE, per="group", high=4096, about=RL)
row("N", "request", M.CACHED_SEQUENCES, side=">", high=1e5)

# Losses
row("N", "nat", M.KL, per="token", about="kl")
row("N", "nat", M.KL, about="kl", low=-100.0, high=0.0)
row("N", "nat", M.FIRST_LOSS, per="token", near="first_loss at_start")
row("N", "nat loss", M.FIRST_LOSS, low=3, high=30, near="at_start", off="kl reward")
row("N", "nat", M.LOSS, per="token", never="better worse lower reference kl policy",
    about="loss perplexity bpb")
row("N", "nat", M.SEQUENCE_KL, per="response", about="kl")
row("N", "nat", M.SEQUENCE_KL, per="", about="kl", high=1e5)
row("N", "kl", M.KL, per="token", reach=8)
row("N", "kl", M.SEQUENCE_KL, per="response", reach=8)
row("N", "kl", M.SEQUENCE_KL, per="", reach=6, near="response sequence best", side="<")
row("N", "nat", M.LOSS, near="loss cross entropy ce", never="better worse lower")
row("N", "first_loss", M.FIRST_LOSS, reach=8)
row("N", "loss", M.FIRST_LOSS, reach=8, about="init initialisation initialization untrained "
    "random_init first_batch first", off="kl reward", low=3, near="init first random started began")
row("N", "loss", M.FIRST_LOSS, reach=4, off="kl reward", low=3, side="<",
    near="begins begin starts start starting started")
row("N", "loss", M.LOSS_BITS, side="<", near="bits", reach=8)
row("N", "loss", M.LOSS, side="<", reach=6, never="spike better by gap between difference "
    "down weight coefficient step")
row("N", "nat", None)
row("N", "bpb", M.BITS_PER_BYTE, reach=6)
row("N", "bit", M.BITS_PER_BYTE, per="byte", side=">")
row("N", "bit", M.LOSS_BITS, per="token", side=">")
row("NB", "bit", None, side=">")
row("NB", "perplexity", M.PERPLEXITY, reach=8, low=1.0, never="by better off")
row("N", "best_of", M.BEST_OF, side="<", reach=1, off="ppo grpo dpo")
row("P", "checkpoint saving", M.CHECKPOINT_OVERHEAD, reach=10,
    near="overhead cost costs lose lost")
row("P", "changed", M.LABEL_NOISE, reach=14, about="label labels", near="label labels probability",
    off="kl reference train")
row("P", "changed", M.CHANGED_SHARE, reach=6, about="kl reference")
row("P", "agreement", M.LABEL_AGREEMENT, reach=8)
row("N", "agreement", M.LABEL_AGREEMENT, reach=5, low=20, high=100, factor=0.01)
row("P", "accuracy", M.ACCURACY, reach=8, never="from up rose better down")
row("N", "accuracy", M.ACCURACY, reach=3, low=10, high=100, factor=0.01, side="<")
row("P", "chance", M.CHANCE, reach=5)

# What no relation is about
for _letter in "NBTMPDWF":
    row(_letter, "other", None, reach=1)
# fmt: on
