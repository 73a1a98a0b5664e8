"""The words that the measures of a run are said in: every phrase and the term it stands for."""

from __future__ import annotations

import re
from collections.abc import Iterator

_TERMS = {
    # Work
    "step": "step, update, iteration, iter, optimiser step, optimiser update, training step, "
    "gradient step, gradient update, weight update, parameter update, global step, train step, "
    "update step, optimizer iteration, training iteration, gradient descent step, single step, "
    "single update, step time, iteration time, step clock, update time, full step, global update, "
    "sgd step, rl step, grpo step, ppo step, ppo iteration, training update, step size, time per "
    "step",
    "token": "token, tok, training token, output token, input token",
    "position": "position, token position",
    "seq": "sequence, seq, sample, row, packed sequence, training sequence",
    "example": "example, pair, preference pair, conversation, dialogue, dialog, demonstration, "
    "instruction, record, comparison, trajectory, training example, prompt pair, sft example, "
    "instruction pair, training sample, training pair, sft sample",
    "batch": "batch, batch size, global batch, global batch size, effective batch, effective "
    "batch size, total batch, total batch size, overall batch, overall batch size, bs, gbs, "
    "minibatch, mini batch, training batch, train batch size, gbsz, batchsize, bsz",
    "microbatch": "micro batch, microbatch, micro batch size, microbatch size, local batch, local "
    "batch size, per device batch, per device batch size, per gpu batch, per gpu batch size, per "
    "device train batch size, per rank batch, per rank batch size, micro bs, mb, b micro, per "
    "device train batch, per card batch, per card batch size, device batch size",
    "accumulation": "gradient accumulation, grad accumulation, grad accum, gradient accum, "
    "accumulation, accumulation step, gradient accumulation step, grad accumulation step, "
    "accumulation round, grad acc, gradient acc, accum, accum step, micro step, microstep, "
    "accumulation factor, ga, accumulate, accumulated, accumulating, grad accum step, gradient "
    "accumulation round, round of accumulation, step of accumulation, step of gradient "
    "accumulation, round of gradient accumulation, backward pass, micro batch of accumulation, "
    "accumulation micro batch",
    "forward": "forward, forward pass, fwd, forward backward",
    "turn": "round, cycle, trial, ablation",
    "epoch": "epoch, pass, full pass, complete pass, full epoch, trip, sweep, training epoch, "
    "round over, round through, complete epoch, whole pass, loop over",
    "corpus": "corpus, corpora, dataset, data set, crawl, mix, mixture, data, pool, pile, dump, "
    "training data, training set, pretraining corpus, train set, domain corpus, sft set, data "
    "mix, raw dump, training corpus, pretraining data, web part, bucket",
    "length": "context, context length, context window, sequence length, seq length, seq len, "
    "seqlen, window, max length, ctx, max seq length, max seq len, block size, ctx len, context "
    "size, ctx length, sequence size, sliding window, token context, token window, long context, "
    "s =, max sequence length, full context, packed window, packing length, maximum length, "
    "window size, input length, length, long",
    "example length": "average length, mean length, average example, mean example length, average "
    "example length, avg length, average sample, average sample length",
    # Devices
    "card": "gpu, card, device, accelerator, chip, board, tpu, tpu core, tpu chip",
    "core": "core, cpu core, cpu, vcpu, thread, cpu hour, core hour",
    "node hour": "node hour, box hour, machine hour, server hour, instance hour, hour per node",
    "gpu hour": "gpu hour, card hour, device hour, gpu day, gpu week, gpu year, accelerator hour, "
    "gpu h, gpu hr",
    "rank": "rank, replica, worker, model replica, data parallel rank, data parallel replica, "
    "data parallel worker, dp rank, dp replica, dp worker, data parallel group, model copies",
    "node": "node, box, server, machine, host, instance, workstation, compute node",
    "dgx": "dgx, hgx, dgx box, dgx node, hgx node, dgx server, hgx box, dgx station, hgx server, "
    "dgx machine",
    "cluster": "world size, cluster, pod, fleet, slice, partition",
    "dp": "data parallel, dp, ddp, data parallelism, data parallel size, data parallel degree, dp "
    "size, dp degree, way data parallel, way dp, dp world size, data parallel width, way ddp, way "
    "data parallelism, data parallel world size",
    "tp": "tensor parallel, tp, tensor parallelism, tensor parallel size, tensor parallel degree, "
    "tp size, tp degree, way tensor parallel, way tensor parallelism, way tp, model parallel, "
    "tensor parallel rank, way tensor, way model parallel, model parallelism",
    "pp": "pipeline parallel, pp, pipeline parallelism, pipeline stage, pipeline parallel size, "
    "pipeline parallel degree, pp size, pp degree, pp stage, way pipeline parallel, way pp, way "
    "pipeline parallelism, pipeline, pipeline depth, way pipeline, stage pipeline, pipeline rank",
    "ep": "expert parallel, ep, expert parallelism, way expert parallel, way ep, ep degree, way "
    "expert parallelism, expert parallel size, ep size",
    "cp": "context parallel, cp, context parallelism, way context parallel, way cp, sequence "
    "parallel, sequence parallelism, way sequence parallel, cp degree, way ulysses, ring "
    "attention degree, way context parallelism, sp, cp size",
    "stage": "stage",
    "zero": "zero, zero stage, stage zero",
    "chunk": "virtual stage, virtual chunk, model chunk, virtual pipeline stage, vpp, interleaved "
    "stage, chunk, interleaving, interleave, virtual pipeline, layer chunk, vp",
    "bubble": "bubble, pipeline bubble, bubble fraction, idle time, bubble overhead, bubble time, "
    "bubble ratio, bubble share",
    # The model
    "model": "model, lm, llm, transformer, network, decoder, net, dense model, dense",
    "param": "parameter, param, p, parameter count, model size, parameter model",
    "active": "active, activated, active parameter, active param, active per token, activates, "
    "activating, active weight, activated parameter, used per token, fire per token",
    "trainable": "trainable, trainable parameter, trainable param, trainable weight, adapter "
    "parameter, adapter param, adapter weight, lora parameter, lora weight, lora param",
    "layer": "layer, transformer layer, transformer block, decoder layer, depth, decoder block, "
    "attention layer, num layer, deep, l",
    "width": "width, wide, hidden, hidden size, hidden dimension, hidden dim, d model, dmodel, "
    "model width, embedding dimension, embedding dim, model dimension, model dim, hidden width, "
    "residual width, embedding width, embedding size, hidden state, embed dim, residual stream",
    "ffn": "ffn, mlp, ffn width, intermediate size, feed forward, swiglu, d ff, mlp width, ffn "
    "dim, mlp dim, ffn size, intermediate dimension, mlp dimension, mlp hidden, dff, feed forward "
    "width, feed forward dimension, mlp size, ffn hidden size, intermediate, feed forward size",
    "head": "head, attention head, query head, q head",
    "kvhead": "kv head, key value head, kv group, key and value head, key head, key/value head, "
    "query group, k v head",
    "headdim": "head dimension, head dim, head size, head width, d head, per head dimension, dim "
    "head, dimension per head, dhead, d h, dh",
    "vocab": "vocabulary, vocab, vocab size, vocabulary size, vocab entries, token vocabulary, "
    "token vocab, entries, entry vocabulary, tokeniser, vocabulary entry, vocabulary item, v",
    "expert": "expert, routed expert, ffn expert",
    "top": "top, routing is top, router top",
    "latent": "latent, latent dimension, kv latent, compressed latent, latent width, latent dim, "
    "latent size, compressed dimension, wide latent, kv lora rank",
    "lora": "lora, qlora, adapter, lora adapter, low rank adapter, dora",
    "lora rank": "lora rank, adapter rank, r, lora r",
    "dimension": "dimension, dim",
    # Letters of formulas, whose meaning depends on the size of the number
    "b =": "b =",
    "d =": "d =, d",
    "h =": "h =, a =",
    "m =": "m =",
    "n =": "n =",
    "p =": "p =",
    "g =": "g =",
    # Memory
    "weights": "weight, model weight, copy of the weight, weight shard, checkpoint weight, base",
    "grad": "gradient, grad, gradient buffer",
    "optimizer": "optimiser, optimiser state, adam, adamw, moment, adam state, adam moment, "
    "master weight, master copy, fp32 moment, optim state, master, optimiser stuff, momentum, "
    "variance, adamw state, optimizer memory, opt state",
    "states": "state, model state, training state, everything, footprint, with adam, with adam "
    "state, with all adam state, with the adam state, with optimiser state, with the optimiser, "
    "with its adam state, with all optimizer state",
    "usage": "nvidia smi, peak memory, memory peak, peak allocated, max allocated, max memory "
    "allocated, peak usage, memory usage, peak memory usage, memory used, peak mem, high water "
    "mark, memory consumption, peak vram, vram usage, vram peak, gpu memory usage, peak memory "
    "use, memory use, mem peak, peak gpu memory, memory footprint, allocated memory, peak "
    "footprint, peak reserved, reserved memory",
    "activations": "activation, activation memory, saved input, stored activation, saved tensor",
    "scores": "attention score, score matrix, attention matrix, attention probability, score, "
    "score tensor, attention matrices, attention probs, attention map, scores tensor, softmax "
    "matrices, softmax matrix, probability matrix, probability matrices, probabilities, score "
    "matrices",
    "logits": "logit, logits tensor, logit tensor, output logit",
    "cache": "cache, kv cache, kv, cached key, key value cache, prefix cache, kvcache, kv memory",
    "request": "request, user, chat, concurrent request, concurrent sequence, slot, concurrent "
    "user, session, simultaneous request, parallel request, client, req, query, concurrent chat, "
    "concurrent conversation, parallel chat, stream",
    "memory": "memory, mem, memory bandwidth, hbm bandwidth, vram, hbm, gpu memory, device "
    "memory, ram",
    "embedding": "embedding, embedding matrix, embedding table",
    # Files
    "checkpoint": "checkpoint, ckpt, snapshot, full checkpoint, checkpoint size, checkpointing",
    "saving": "save, saving, write, writing, saved, pause, stall, written, dump it, upload, "
    "flush, stalled, stood still, stands still, standing still, blocked, blocks, paused, "
    "standstill, blocking",
    "storage": "filesystem, file system, nfs, lustre, filer, disk, object store, storage, s3, "
    "nvme, ssd, parallel filesystem, gpfs, fsx, weka, gcs, file server, nas",
    "text": "text, raw text, jsonl, utf, plain text, html, utf8, uncompressed text, disk space",
    "ids": "uint16, uint32, int32, token id, memmap, tokenised, int16, tokenised shard, bin file, "
    "tokenised data, token file, binary file, tokenised corpus, tokenised dataset",
    "on disk": "on disk, du, du says, ls, folder, directory, file, flat file, safetensors, "
    "safetensors file, disk usage, flat array",
    "document": "document, doc, page, article, web page, paper, book",
    # Communication
    "link": "nvlink, infiniband, ib, nic, ethernet, link, bus bandwidth, bandwidth, interconnect, "
    "cable, line, hdr, ndr, roce, network link, nvswitch, efa, network bandwidth, busbw, network "
    "card, edr, tcp, uplink",
    "pcie": "pcie, pci express, pcie slot, pcie link, pcie bus, slot",
    "host memory": "from host memory, from host ram, to host memory, to host ram, "
    "from pinned memory, from pinned host memory, from cpu memory, from cpu ram, from host, from "
    "the host, to host, to the host, from cpu, host to device, "
    "from the cpu, to the cpu, device to host, host memory, host ram, pinned host memory, pinned "
    "memory, cpu memory, cpu "
    "ram, host's memory, main memory, system memory, system ram, pinned host ram, host dram, cpu "
    "dram",
    "allreduce": "all reduce, allreduce, sync, gradient sync, ring, reduced, all reduced, "
    "syncing, gradient all reduce, ring all reduce, synchronisation, all reducing, allreduced, "
    "averaging the gradients, nccl",
    "gather": "all gather, allgather, reduce scatter, gather, gathering, gathered, parameter "
    "gather, copy, copied, transfer, transferred, pull, moved, push, load, loaded, copying, "
    "transferring, exchange, round trip, swapping, swap",
    # Rollouts
    "prompt": "prompt, question, problem",
    "group": "group, group size",
    "rollout": "rollout, completion, sampled response, sampled completion, sampled answer, "
    "generation, sampled solution",
    "response": "response, answer, reply, output, solution, mean response, average response, "
    "response length, completion length, mean response length, average response length, resp, "
    "resp len, generation length, answer length, output length, mean output length, average "
    "completion, mean completion length, rollout length",
    "generating": "generation phase, generation time, rollout phase, generating, sampling, "
    "decode, decoding, vllm, generate, generation rate, generation throughput, sampling phase, "
    "rollout engine, inference engine, rollout time, generation step, sample phase, generated, "
    "generation speed, sglang, inference side, generation alone, rollouts take, generation lasts, "
    "generation took, generation takes, generation is over, rollout generation, generation side, "
    "inference, inference server, sampler",
    # Losses and scores
    "loss": "loss, cross entropy, nll, training loss, validation loss, val loss, eval loss, final "
    "loss, train loss, test loss, validation cross entropy, negative log likelihood, ce",
    "at start": "at initialisation, at init, random init, random initialisation, before training, "
    "untrained, freshly initialised, at the very start, fresh model, before the first update, "
    "before any update, before the first step, before any training, step zero, iteration zero, "
    "before update, before any step, step 0, iteration 0, before 1 st update, before 1 st step, "
    "before a single update, before the very first update, newly initialised",
    "first loss": "initial loss, very first loss, very first logged loss, first loss, first "
    "logged loss, loss at init, loss at initialisation, starting loss, step zero loss, loss at "
    "step zero, loss on the first batch, loss of the first batch, first training loss, loss at "
    "the first step, loss before training, loss at the start, loss at the very start, untrained "
    "loss, init loss, loss at step",
    "nat": "nat",
    "bit": "bit, loss in bits",
    "perplexity": "perplexity, ppl, token perplexity, validation perplexity",
    "bpb": "bits per byte, bits / byte, bit / byte, bits / b, bit per byte, bpb, bits a byte",
    "kl": "kl, k1, k1 estimate, k1 estimator, k3, k3 estimate, kl estimate, kl divergence, kl to "
    "the reference, reference kl, kl term, mean kl",
    "idle": "idle, idling, waiting, wait, waited, sat idle",
    "best of": "best of, best of n, bon, rejection sampling from",
    "changed": "changed, flipped, differ, different top, flips, top token changed",
    "agreement": "agreement, inter annotator agreement, annotator agreement, agree, human "
    "agreement, inter rater agreement, rater agreement, annotators agree, raters agree, agreed",
    "accuracy": "accuracy, acc, reward model accuracy, judge accuracy",
    "chance": "chance, guessing, random guessing, chance level, random baseline",
    # Operations and money
    "mfu": "mfu, model flops utilisation, flops utilisation, utilisation, model utilisation, "
    "model flop utilisation, compute utilisation",
    "hfu": "hfu, hardware utilisation, hardware flops utilisation, hardware flop utilisation",
    "peak": "peak, datasheet, theoretical peak, peak flops, spec sheet, data sheet",
    "held out": "held out, set aside, holdout, withheld, kept aside, held back",
    "cost": "cost, bill, invoice, paid, price tag, budget, spent, spend, total cost, pay, compute "
    "cost, cloud bill, compute bill, compute, charged, came to",
    "price": "price, rate, on demand, spot price, spot, list price, hourly rate, rented, rent, "
    "reserved price, per hour price",
    "lr": "learning rate, lr, peak lr, peak learning rate, max lr, maximum learning rate",
    "throughput": "throughput, tps, tokens per sec, speed, tok s, training throughput, total "
    "throughput, overall throughput",
    # Units after a number
    "second": "second, sec, s",
    "minute": "minute, min",
    "hour": "hour, hr, h",
    "day": "day",
    "week": "week",
    "month": "month",
    # What no relation is about
    "other": "warm up, warmup, warm up step, warmup step, warmup token, decay step, image, frame, "
    "video, url, seed, people, engineer, degree, rack, kwh, kw, megawatt, watt, temperature, "
    "beta, epsilon, weight decay, clip, clipping, gradient clipping, dropout, version, python, "
    "cuda, pytorch, top p, top k, percentile, percentage point, point, warmup iteration, decay, "
    "gradient norm, norm, alpha, lora alpha, hop, pass @, hyperparameter, validation token, eval "
    "token, held out token, test token, prompt token, digit, decimal, decimal place, warm up "
    "iteration, linear warmup, linear warm up, warm up token, reward, token limit",
}
APPROXIMATE = (
    "about, around, roughly, approximately, approx, maybe, perhaps, probably, something like, "
    "somewhere around, somewhere near, in the order of, on the order of, of the order of, "
    "in the neighbourhood of, in the neighborhood of, ballpark, circa, ca, give or take, or so, "
    "or thereabouts, more or less, ish, ~, ≈, nearly, almost, some, close to, hardly more than, "
    "or something, getting on for, in the ballpark of, in the region of, going on"
)
"""Before a number or after it."""
FILLERS = (
    "not quite, not even, isn't even, wasn't even, not yet, basically, essentially, pretty "
    "much, exactly, precisely, "
    "simply, literally, quite, easily, comfortably, i want to say, i think, i guess, i'd guess, "
    "i believe, i'd say, i would say, let's call it, call it, let's say, say, a total of, like, "
    "um, umm, uh, er, you know, a good, a solid, a mere, a whopping, a measly, a meagre, as many "
    "as, as much as, just under, just over, just above, just below, a bit over, a bit under, "
    "a little over, a little under, slightly over, slightly under, slightly above, slightly "
    "below, a bit more than, a bit less than, a little more than, a little less than, slightly "
    "more than, slightly less than, just short of, a touch over, a touch under, a tad over, "
    "barely over, well over, well under, well above, well below, just more than, just less than, "
    "a shade under, a shade over, short of, shy of, just shy of, just, only, and change, and a "
    "bit, let me think, very, "
    "if i remember right, if i recall correctly, if i remember correctly, really, actual, "
    "a cool, grand total of, precisely, merely, not one more, and a little"
)
PRECISIONS = {
    "bf16, bfloat16, fp16, float16, half precision, 16 bit, f16": 2.0,
    "fp32, float32, single precision, f32, full fp32": 4.0,
    "fp8, float8, int8, e4m3, e5m2, f8": 1.0,
    "int4, nf4, fp4, mxfp4, nvfp4": 0.5,
}
BITS = {4: 0.5, 8: 1.0, 16: 2.0, 32: 4.0}


def words(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())


def _plural(phrase: str) -> str:
    if phrase.endswith("epoch"):
        return f"{phrase}s"
    if phrase.endswith(("ch", "sh", "x", "ss")):
        return f"{phrase}es"
    if phrase.endswith("y") and phrase[-2:-1] not in "aeiou":
        return f"{phrase[:-1]}ies"
    return f"{phrase}s"


_BRITISH = re.compile(r"\b(optim|token|initial|util|synchron)is")


def _forms(phrases: str) -> Iterator[str]:
    """The phrases and their plurals, in British and American spelling."""
    for phrase in phrases.split(", "):
        for spelt in (phrase, _BRITISH.sub(r"\1iz", phrase)):
            yield spelt
            yield _plural(spelt)


Phrase = tuple[str, ...]
PHRASES: dict[Phrase, str] = {
    **{(*form.split(),): term for term, said in _TERMS.items() for form in _forms(said)},
    **{("windows",): "seq", ("a", "piece"): "apiece", ("apiece",): "apiece"},
    **{("a", "pop"): "apiece"},
    **dict.fromkeys(((*form.split(),) for form in FILLERS.split(", ")), "."),
    **dict.fromkeys(((*form.split(),) for form in APPROXIMATE.split(", ")), "~"),
    **{
        (*form.split(),): f"Q{size}"
        for said, size in PRECISIONS.items()
        for form in said.split(", ")
    },
}
"""The term of every phrase; ``.`` is left out of the text, ``~`` makes a number approximate, and
``Q2.0`` is a precision of two bytes."""
LONGEST = max(map(len, PHRASES))
BEGINNINGS = {phrase[:size] for phrase in PHRASES for size in range(1, len(phrase))}
"""Proper beginnings of phrases: where none begins, no longer phrase need be looked for."""
