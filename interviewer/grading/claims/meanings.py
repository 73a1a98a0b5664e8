"""What each quantity and circumstance means, a line each, and the unit that a value is kept in.

A model that reads claims is told these; the unit also decides what a number may be said in.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from interviewer.grading.claims.circumstances import Circumstance as C
from interviewer.grading.claims.claim import Measure as M


class Unit(StrEnum):
    """What a value is kept in, in words."""

    NUMBER = "a plain number"
    SHARE = "a share, 0 to 1, or percent"
    TIME = "seconds"
    BYTES = "bytes"
    WIDTH = "bytes a number"
    """Of one number in memory; also said as bits, or as the name of a format."""
    BYTE_RATE = "bytes a second"
    RATE = "a second"
    OPERATIONS = "operations"
    OPERATION_RATE = "operations a second"
    DEVICE_TIME = "device-seconds"
    MONEY = "US dollars"
    PRICE = "US dollars a second"
    TOKEN_PRICE = "US dollars a token"
    ANY = "members of a group, in any unit"


@dataclass(frozen=True)
class Meaning:
    """A line on a quantity, and the unit of its values."""

    words: str
    unit: Unit = Unit.NUMBER


_DEVICE = "on one device"
_TOGETHER = "on all devices together, each counted once"

MEANINGS: dict[M, Meaning] = {
    M.PARAMETERS: Meaning("parameters of the model"),
    M.ACTIVE_PARAMETERS: Meaning("parameters that each token uses, of a mixture of experts"),
    M.TRAINABLE_PARAMETERS: Meaning("parameters that were trained, of adapters or unfrozen"),
    M.TRAINABLE_SHARE: Meaning("share of the parameters that was trained", Unit.SHARE),
    M.LAYERS: Meaning("layers or blocks"),
    M.WIDTH: Meaning("width of the residual stream, d_model, hidden size"),
    M.FFN_WIDTH: Meaning("hidden width of the MLP"),
    M.HEADS: Meaning("query heads of a layer"),
    M.KV_HEADS: Meaning("key and value heads of a layer"),
    M.HEAD_WIDTH: Meaning("width of a head"),
    M.VOCABULARY: Meaning("tokens in the vocabulary"),
    M.EXPERTS: Meaning("experts of a layer"),
    M.ACTIVE_EXPERTS: Meaning("experts that each token passes, top-k"),
    M.EXPERT_PARAMETERS: Meaning("parameters of one expert, over all layers"),
    M.LATENT_WIDTH: Meaning("numbers a token and layer that MLA caches"),
    M.RANK: Meaning("rank of low-rank adapters"),
    M.WEIGHT_BYTES: Meaning("size of one weight in memory (bf16: 16 bit)", Unit.WIDTH),
    M.CACHE_BYTES: Meaning("size of one number in the KV cache", Unit.WIDTH),
    M.TOKENS: Meaning("tokens seen in training, repeats included"),
    M.DATASET_TOKENS: Meaning("tokens in the dataset, without repeats"),
    M.EXAMPLES: Meaning("examples in the dataset of a fine-tuning run"),
    M.EXAMPLE_LENGTH: Meaning("tokens of an average example"),
    M.EPOCHS: Meaning("passes over the dataset"),
    M.BATCH_SEQUENCES: Meaning("sequences or examples in a whole batch, of all devices"),
    M.BATCH_TOKENS: Meaning("tokens in a whole batch, of all devices: tokens a step"),
    M.MICRO_BATCH: Meaning("sequences that one device or rank processes at a time"),
    M.ACCUMULATION: Meaning("micro-batches that a rank accumulates before an update"),
    M.SEQUENCE_LENGTH: Meaning("tokens in a sequence: the context length"),
    M.STEPS: Meaning("optimizer steps of the run"),
    M.STEP_TIME: Meaning("time of one step", Unit.TIME),
    M.DURATION: Meaning("wall time of the run", Unit.TIME),
    M.MICRO_STEP_TIME: Meaning("forward and backward of one micro-batch", Unit.TIME),
    M.THROUGHPUT: Meaning("tokens trained on a second, of all devices together", Unit.RATE),
    M.DEVICE_THROUGHPUT: Meaning("tokens a second of each device", Unit.RATE),
    M.NODE_THROUGHPUT: Meaning("tokens a second of one node", Unit.RATE),
    M.SAMPLE_RATE: Meaning("sequences a second, of all devices together", Unit.RATE),
    M.LEARNING_RATE: Meaning("peak learning rate"),
    M.GPUS: Meaning("devices (GPUs, TPU chips) that the run used; name their type in `device`"),
    M.NODES: Meaning("nodes, boxes, machines"),
    M.NODE_GPUS: Meaning("devices in each node"),
    M.DATA_PARALLEL: Meaning("data-parallel ranks"),
    M.TENSOR_PARALLEL: Meaning("tensor-parallel degree"),
    M.PIPELINE_STAGES: Meaning("pipeline stages"),
    M.STAGE_LAYERS: Meaning("layers on each pipeline stage"),
    M.EXPERT_PARALLEL: Meaning("expert-parallel degree"),
    M.CONTEXT_PARALLEL: Meaning("context- or sequence-parallel degree"),
    M.MICRO_BATCHES: Meaning("micro-batches that pass the pipeline in one step"),
    M.VIRTUAL_STAGES: Meaning("chunks of layers on each stage of an interleaved schedule"),
    M.BUBBLE: Meaning("share of the time in which pipeline stages wait or idle", Unit.SHARE),
    M.PEAK: Meaning("peak speed of one device by its maker", Unit.OPERATION_RATE),
    M.MFU: Meaning("model FLOPs utilisation", Unit.SHARE),
    M.HFU: Meaning("hardware FLOPs utilisation, recomputation included", Unit.SHARE),
    M.DEVICE_FLOPS: Meaning("speed that each device reached", Unit.OPERATION_RATE),
    M.TOTAL_FLOPS: Meaning("speed that all devices reached together", Unit.OPERATION_RATE),
    M.RUN_FLOPS: Meaning("operations of the whole run", Unit.OPERATIONS),
    M.STEP_FLOPS: Meaning("operations of one step", Unit.OPERATIONS),
    M.DEVICE_TIME: Meaning("time summed over all devices: GPU hours", Unit.DEVICE_TIME),
    M.COST: Meaning("what the run cost", Unit.MONEY),
    M.PRICE: Meaning("price of one device for a time", Unit.PRICE),
    M.NODE_PRICE: Meaning("price of a whole node for a time", Unit.PRICE),
    M.TOKEN_PRICE: Meaning("price of the tokens of an API", Unit.TOKEN_PRICE),
    M.GENERATED_TOKENS: Meaning("tokens generated or paid for in all, outside training steps"),
    M.GPU_MEMORY: Meaning("memory that one device has", Unit.BYTES),
    M.USED_MEMORY: Meaning(f"all memory in use {_DEVICE} at its peak", Unit.BYTES),
    M.STATE_MEMORY: Meaning(f"weights, gradients and optimizer states {_DEVICE}", Unit.BYTES),
    M.WEIGHT_MEMORY: Meaning(f"weights {_DEVICE}", Unit.BYTES),
    M.GRADIENT_MEMORY: Meaning(f"gradients {_DEVICE}", Unit.BYTES),
    M.OPTIMIZER_MEMORY: Meaning(f"optimizer states {_DEVICE}", Unit.BYTES),
    M.ACTIVATION_MEMORY: Meaning(f"activations {_DEVICE}", Unit.BYTES),
    M.SCORE_MEMORY: Meaning(f"stored attention scores of all layers {_DEVICE}", Unit.BYTES),
    M.LAYER_SCORE_MEMORY: Meaning(f"stored attention scores of one layer {_DEVICE}", Unit.BYTES),
    M.LOGIT_BYTES: Meaning("size of one logit in memory, where all are materialised", Unit.WIDTH),
    M.LOGIT_MEMORY: Meaning(f"logits {_DEVICE}", Unit.BYTES),
    M.CACHE_MEMORY: Meaning("KV cache of all sequences that are held at once", Unit.BYTES),
    M.TOKEN_CACHE: Meaning("KV cache of one token", Unit.BYTES),
    M.CACHED_TOKENS: Meaning("tokens in the KV cache, of all sequences held at once"),
    M.CACHED_SEQUENCES: Meaning("sequences or users that are served at once"),
    M.ADAPTER_SIZE: Meaning("size of the saved adapters", Unit.BYTES),
    M.STATE_BYTES: Meaning("bytes a parameter for weights, gradients and states", Unit.WIDTH),
    M.WEIGHT_TOTAL: Meaning(f"weights {_TOGETHER}, or of a model on one device", Unit.BYTES),
    M.GRADIENT_TOTAL: Meaning(f"gradients {_TOGETHER}", Unit.BYTES),
    M.OPTIMIZER_TOTAL: Meaning(f"optimizer states {_TOGETHER}", Unit.BYTES),
    M.STATE_TOTAL: Meaning(f"weights, gradients and states {_TOGETHER}", Unit.BYTES),
    M.CHECKPOINT_SIZE: Meaning("size of one checkpoint", Unit.BYTES),
    M.CHECKPOINT_TIME: Meaning("time to write one checkpoint", Unit.TIME),
    M.CHECKPOINT_INTERVAL: Meaning("training time between two checkpoints", Unit.TIME),
    M.CHECKPOINT_OVERHEAD: Meaning("share of the time that goes into checkpoints", Unit.SHARE),
    M.STORAGE_RATE: Meaning("bandwidth to or from storage", Unit.BYTE_RATE),
    M.DATA_SIZE: Meaning("size of the dataset's text", Unit.BYTES),
    M.TOKENISED_SIZE: Meaning("size of the token ids on disk", Unit.BYTES),
    M.ID_BYTES: Meaning("size of one token id on disk (uint16: 16 bit)", Unit.WIDTH),
    M.TOKEN_BYTES: Meaning("bytes of text in a token"),
    M.DOCUMENTS: Meaning("documents in the dataset"),
    M.DOCUMENT_LENGTH: Meaning("tokens of an average document"),
    M.DOCUMENT_BYTES: Meaning("text of an average document", Unit.BYTES),
    M.BANDWIDTH: Meaning("bandwidth that a collective has for each device", Unit.BYTE_RATE),
    M.MESSAGE_SIZE: Meaning("data that one collective reduces or gathers", Unit.BYTES),
    M.ALL_REDUCE_TIME: Meaning("time of one all-reduce", Unit.TIME),
    M.ALL_GATHER_TIME: Meaning("time of one all-gather or reduce-scatter", Unit.TIME),
    M.PCIE: Meaning("generation of a PCIe x16 slot"),
    M.HOST_RATE: Meaning("bandwidth between host memory and one device, one way", Unit.BYTE_RATE),
    M.HOST_BYTES: Meaning("data moved between host memory and one device, one way", Unit.BYTES),
    M.HOST_TIME: Meaning("time of that move", Unit.TIME),
    M.PROMPTS: Meaning("prompts in a step of reinforcement learning"),
    M.RUN_PROMPTS: Meaning("prompts in all steps of reinforcement learning together"),
    M.GROUP_SIZE: Meaning("responses that are sampled for each prompt"),
    M.ROLLOUTS: Meaning("responses in a step"),
    M.RESPONSE_LENGTH: Meaning("tokens of an average response"),
    M.ROLLOUT_TOKENS: Meaning("tokens generated in a step"),
    M.GENERATION_RATE: Meaning("tokens generated a second, of all devices", Unit.RATE),
    M.GENERATION_TIME: Meaning("time to generate all responses of a step", Unit.TIME),
    M.LOSS: Meaning("cross-entropy in nats a token, in the run or at its end"),
    M.FIRST_LOSS: Meaning("cross-entropy in nats a token at initialisation"),
    M.LOSS_BITS: Meaning("cross-entropy in bits a token"),
    M.PERPLEXITY: Meaning("perplexity"),
    M.BITS_PER_BYTE: Meaning("bits per byte"),
    M.KL: Meaning("KL to the reference in nats a token"),
    M.SEQUENCE_KL: Meaning("KL to the reference in nats a response"),
    M.POLICY_LOSS: Meaning(
        "mean log-probability, in nats a token, of the policy's samples under itself; no sign"
    ),
    M.REFERENCE_LOSS: Meaning("the same of these samples under the reference"),
    M.BEST_OF: Meaning("samples of which the best by reward is taken: n of best-of-n"),
    M.REFERENCE_SHARE: Meaning(
        "share of responses with some property, sampled from the reference", Unit.SHARE
    ),
    M.POLICY_SHARE: Meaning("the same sampled from the policy", Unit.SHARE),
    M.CHANGED_SHARE: Meaning(
        "share of tokens or answers that differ from the reference, or between two systems",
        Unit.SHARE,
    ),
    M.LABEL_AGREEMENT: Meaning("share in which two annotators agree", Unit.SHARE),
    M.KAPPA: Meaning("Cohen's kappa of two annotators", Unit.SHARE),
    M.LABEL_NOISE: Meaning("share of the test labels that were flipped at random", Unit.SHARE),
    M.ACCURACY: Meaning("accuracy against the labels of one annotator", Unit.SHARE),
    M.CHANCE: Meaning("accuracy of guessing", Unit.SHARE),
    M.OVERLAP: Meaning("share of items on which two systems answer alike", Unit.SHARE),
    M.PASS_AT_1: Meaning("pass@1", Unit.SHARE),
    M.PASS_AT_K: Meaning("pass@k, on the same samples", Unit.SHARE),
    M.PART: Meaning("any other count of which WHOLE is the total", Unit.ANY),
    M.WHOLE: Meaning("the total of which PART is a part", Unit.ANY),
    M.SHARE: Meaning("PART over WHOLE", Unit.SHARE),
    M.PORTION: Meaning("one of several shares of a whole that cannot overlap", Unit.SHARE),
    M.PORTION_COUNT: Meaning("the same as a count; the whole is WHOLE"),
    M.PORTIONS: Meaning("all portions together", Unit.SHARE),
    M.BEFORE: Meaning("any figure before a change", Unit.ANY),
    M.AFTER: Meaning("the same figure after the change", Unit.ANY),
    M.TIMES: Meaning("how many there are of something that each costs, takes or holds EACH"),
    M.EACH: Meaning("what each of them costs, takes or holds", Unit.ANY),
    M.ADDEND: Meaning("a term of a sum whose TOTAL is said, in the same unit", Unit.ANY),
    M.TOTAL: Meaning("the total of the terms, or of TIMES times EACH", Unit.ANY),
    M.CHANGE: Meaning("by which share it rose or fell, without sign", Unit.SHARE),
    M.RATIO: Meaning("how many times as much AFTER is as BEFORE"),
}

CIRCUMSTANCES: dict[C, str] = {
    C.ADAM: "all weights trained with Adam in mixed precision",
    C.FULL: "all weights trained, the optimizer not named",
    C.SHARDED: "weights, gradients and states sharded: ZeRO-3, FSDP",
    C.UNSHARDED: "each device holds a full copy: plain DDP",
    C.ZERO_1: "ZeRO stage 1",
    C.ZERO_2: "ZeRO stage 2",
    C.SPLIT: "tensor, pipeline or context parallel",
    C.ADAPTERS: "LoRA, QLoRA or other adapters",
    C.FROZEN: "part of the weights frozen",
    C.LEAN: "smaller states than Adam's: 8-bit or other optimizer, quantised weights, pure BF16",
    C.OFFLOADED: "something offloaded to CPU or disk",
    C.FAILED: "it did not fit, crashed, or was given up",
    C.EXPERTS: "a mixture of experts",
    C.EIGHT_BIT_MATHS: "matrix products in FP8 or less",
    C.SPARSITY: "structured sparsity",
    C.RECOMPUTED: "activation checkpointing",
    C.STORED: "all activations kept: no checkpointing",
    C.FUSED_ATTENTION: "FlashAttention or the like: no scores are stored",
    C.PLAIN_ATTENTION: "attention scores of all layers stored for backward: no FlashAttention",
    C.FORWARD_ONLY: "serving, evaluation or generation: nothing is trained",
    C.TIED: "input and output embeddings tied",
    C.UNTIED: "input and output embeddings separate: untied",
    C.LATENT: "multi-head latent attention",
    C.FOUR_MODELS: "PPO with four models held at once",
    C.COMPRESSED: "the text on disk is compressed",
    C.FULL_CHECKPOINT: "checkpoints hold the optimizer states",
    C.WEIGHTS_ONLY: "checkpoints hold the weights alone",
    C.EXACT_KL: "the KL is summed over the vocabulary, or the k3 estimator: never below zero",
    C.EVEN_STAGES: "every pipeline stage holds the same whole number of layers",
    C.UNACCUMULATED: "no gradient accumulation",
    C.ZERO_BUBBLE: "a pipeline schedule that fills the bubble",
    C.OVERLAPPED: "generation, writing or communication runs beside the training step",
    C.RAMPED: "batch size or length grew during the run",
    C.STAGED: "several stages or phases in one run",
    C.PACKED: "several examples packed into one sequence",
    C.PARTIAL: "about part of the data or of the run only: a subset, stopped early, upsampling",
}
