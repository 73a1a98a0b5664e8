"""Statements on runs, worked out by hand: those that close, those that clash, and the others.

Where a kind of question is given, the statement answers one of that kind.
"""

from __future__ import annotations

GIVEN = "You train a 7B model on 400B tokens with 128 A100s. Estimate how long it takes."
"""The estimation question."""

CLOSING: tuple[tuple[str, str, str], ...] = (
    # 6 · 7e9 · 4e11 = 1.68e22; 128 · 3.12e14 · 12 · 86400 = 4.14e22
    (
        "project",
        "We trained a 7B on 400B tokens with 128 A100s in twelve days.",
        "41% MFU",
    ),
    ("project", "Our 1.3B saw 100B tokens on 32 A100s, and it took two days.", "45% MFU"),
    ("project", "I pretrained a 13B on 300B tokens, 256 H100s, five days.", "21% MFU"),
    (
        "concept",
        "At my last company we trained a 3B on 60B tokens, on sixteen H100s for three days.",
        "26% MFU",
    ),
    # 6 · 3e9 · 2e11 = 3.6e21; 64 · 3.12e14 · 6 · 86400 = 1.04e22
    (
        "estimation",
        "In our own run we trained a 3B for 200B tokens on 64 A100s, and that took us six days.",
        "35% MFU",
    ),
    (
        "project",
        "We trained a 7B on 400B tokens. It ran on 128 A100s and took twelve days.",
        "41% MFU",
    ),
    # 6 · 1.3e10 · 5e11 = 3.9e22; 512 · 9.89e14 · 259200 = 1.31e23
    (
        "project",
        "Our MoE, 47B in total and 13B active, saw 500B tokens on 512 H100s in three days.",
        "30% MFU",
    ),
    ("project", "Training the 7B we got 3,000 tokens a second on each A100.", "40% MFU"),
    ("project", "We trained a 1B, 20B tokens, eight A100s, in two days.", "28% MFU"),
    # FP8 doubles the peak: 9.6e21 / (64 · 1.978e15 · 345600)
    (
        "project",
        "We trained an 8B in FP8 on 200B tokens with 64 H100s in four days.",
        "22% MFU",
    ),
    ("project", "We ran 12,000 steps with 256 sequences of 4,096 tokens.", "12.6B tokens"),
    ("project", "Our batch was 4M tokens and we ran 50k steps.", "200B tokens"),
    (
        "project",
        "We trained for 100,000 steps with a batch of 1,024 sequences of length 2,048.",
        "210B tokens",
    ),
    ("project", "I ran 30k steps at 2M tokens a step.", "60B tokens"),
    (
        "project",
        "Micro-batch 4, accumulation 8, on 16 GPUs, sequence length 2048; we ran 20,000 steps.",
        "21B tokens",
    ),
    (
        "estimation",
        "When we ran our own pretraining, we had a batch of 2M tokens and ran 150k steps.",
        "300B tokens",
    ),
    ("project", "We trained on 300B tokens in ten days.", "347,000 tokens a second"),
    (
        "project",
        "We pretrained on 1.2T tokens in thirty days with 512 H100s.",
        "904 tokens a second",
    ),
    (
        "project",
        "Our run saw 52B tokens in three days on 64 A100s.",
        "3,130 tokens a second",
    ),
    ("concept", "On my last project we saw 20B tokens in a day.", "231,000 tokens a second"),
    ("project", "We trained on 1T tokens with a batch of 4M tokens.", "250,000 steps"),
    (
        "project",
        "Our model saw 300B tokens; the batch was 1,024 sequences of 2,048 tokens.",
        "143,000 steps",
    ),
    (
        "project",
        "I trained it on 10B tokens with half a million tokens a step.",
        "20,000 steps",
    ),
    (
        "project",
        "We used a global batch of 2 million tokens and trained for 140 billion tokens.",
        "70,000 steps",
    ),
    ("project", "Our corpus was 100B tokens, and we trained on 400B tokens.", "4 epochs"),
    ("project", "We had a dataset of 15B tokens and the model saw 60B tokens.", "4 epochs"),
    ("project", "The dataset was 50B tokens; we trained for 300B tokens.", "6 epochs"),
    (
        "project",
        "We trained on 30B tokens from a corpus of 120B tokens.",
        "0.25 epochs",
    ),
    ("project", "We trained on 64 A100s for ten days.", "15,360 GPU-hours"),
    ("project", "I ran it on eight H100s for three days.", "576 GPU-hours"),
    ("project", "We fine-tuned a 7B for six hours on sixteen A100s.", "96 GPU-hours"),
    ("project", "We had 256 GPUs for two weeks.", "86,016 GPU-hours"),
    (
        "project",
        "We ran 12,000 steps with 256 sequences of 4,096 tokens. It saw 12.6B tokens.",
        "That fits: 256 × 4,096 × 12,000 is the 12.6B tokens you gave.",
    ),
    (
        "project",
        "Our 7B got 41% MFU: 400B tokens on 128 A100s in twelve days.",
        "the 41% MFU you gave",
    ),
    (
        "project",
        "We trained on 1T tokens at a batch of 4M tokens, so 250k steps.",
        "That fits",
    ),
    (
        "project",
        "We trained four epochs over a corpus of 100B tokens, 400B tokens in all.",
        "That fits",
    ),
    (
        "project",
        "We did 40k steps at 3 seconds a step, and it took 33 hours.",
        "the 33 hours you gave",
    ),
    ("project", "It took us 15,360 GPU hours: 64 A100s for ten days.", "That fits"),
    (
        "project",
        "We trained on 300B tokens in ten days at 350,000 tokens a second.",
        "the 300B tokens you gave",
    ),
    (
        "concept",
        "In my project the batch was 4M tokens; we stopped after 25k steps in total.",
        "100B tokens",
    ),
    # in another style
    (
        "project",
        "It was a 3B model. We fed it 150 billion tokens; the cluster was 48 H100s, and all in all "
        "it took two and a half days.",
        "MFU",
    ),
    (
        "project",
        "so basically we had thirty-two H100s and uh the whole thing ran for a week",
        "5,376 GPU-hours",
    ),
    ("project", "A 1.5B, 80B tokens, 16 H100s, four days.", "MFU"),
    ("project", "Pretrained a 2.7B from scratch on 32 V100s; 30B tokens took 9 days.", "MFU"),
    (
        "project",
        "My job was the 13B. It reached 1,700 tokens per second per GPU on A100s.",
        "42% MFU",
    ),
    (
        "project",
        "We processed 1.5 trillion tokens, four million tokens per batch.",
        "375,000 steps",
    ),
    (
        "project",
        "Our deduplicated corpus had 250B tokens and the model ended up seeing 1T tokens.",
        "4 epochs",
    ),
    (
        "project",
        "The global batch size was 512 sequences at a context of 8192, and we did 60k steps.",
        "252B tokens",
    ),
    ("project", "We did 40,000 optimizer steps. Each step was 1M tokens.", "40B tokens"),
    ("project", "Our run lasted 18 days on 96 A100s.", "41,472 GPU-hours"),
    ("project", "We used eight nodes of eight H100s and finished in five days.", "7,680 GPU-hours"),
    (
        "concept",
        "In our case we trained on 2T tokens for 40 days, on 256 A100s, and it was a 7B.",
        "MFU",
    ),
    (
        "estimation",
        "At my previous company we pretrained a 1B on 60B tokens with 16 H100s in two days.",
        "MFU",
    ),
    (
        "estimation",
        "For comparison, last year we trained a 13B on 250B tokens. It took three weeks on 96 "
        "A100s.",
        "MFU",
    ),
    (
        "project",
        "I trained a 350M on 10B tokens on a single A100 in three days.",
        "tokens a second",
    ),
    ("project", "Steps took 2.5 seconds and there were 100k of them.", "days"),
    ("project", "We got 38% MFU on 64 A100s; the 7B saw 150B tokens in ten days.", "That fits"),
    (
        "project",
        "The batch was 2,048 sequences of 4,096 tokens, so 8.4M tokens per step.",
        "That fits",
    ),
    ("project", "The dataset is 20B tokens, we made three passes, 60B tokens.", "That fits"),
    ("project", "We ran on 256 TPU v4 chips for six days.", "36,864 device-hours"),
    ("project", "The 30B saw 600B tokens on 512 A100s and ran for 28 days.", "MFU"),
    (
        "project",
        "We trained our 7B over 250 billion tokens, 64 H100 cards, roughly six days.",
        "MFU",
    ),
    ("project", "I had one node with eight A100s for 30 days.", "5,760 GPU-hours"),
)
"""Kind of question, answer, and what one of the sentences says."""

SILENT: tuple[tuple[str, str], ...] = (
    # numbers of others
    ("project", "Llama 2 7B was trained on 2T tokens with 184,320 A100 hours."),
    ("project", "Meta trained the 70B on 2T tokens with 2,000 A100s in 36 days."),
    (
        "project",
        "In the Chinchilla paper they trained a 70B on 1.4T tokens, on TPUs v4 for a month.",
    ),
    ("project", "A friend trained a 1B on 20B tokens with eight A100s in two days."),
    ("concept", "According to the OPT logbook, 992 A100s ran for two months on 180B tokens."),
    ("concept", "People usually train a 7B on 1T tokens with 256 A100s in three weeks."),
    ("project", "Another team ran 12,000 steps with 256 sequences of 4,096 tokens."),
    ("project", "I read that they trained it on 300B tokens in ten days."),
    ("concept", "BLOOM was trained on 366B tokens with 384 A100s in about four months."),
    (
        "project",
        "Our colleagues at another company trained a 13B on 300B tokens with 128 A100s in "
        "twenty days.",
    ),
    ("project", "We trained a 7B; the paper used 400B tokens on 128 A100s in twelve days."),
    ("project", "We trained a 7B. People use 128 A100s for twelve days and 400B tokens."),
    # hypotheses, plans, general remarks
    ("project", "If we trained a 7B on 400B tokens with 128 A100s, it'd take twelve days."),
    ("project", "We planned to train a 7B on 400B tokens with 128 A100s in twelve days."),
    ("project", "Suppose we have 64 A100s for ten days."),
    ("project", "We would have needed 128 A100s for twelve days."),
    ("project", "I'd run 50k steps with a batch of 4M tokens."),
    ("project", "Next time we will train on 1T tokens with a batch of 4M tokens."),
    ("project", "Should we have trained for 100k steps at 2M tokens a step?"),
    ("project", "We budgeted 64 A100s for ten days."),
    ("project", "Imagine our 7B had seen 400B tokens on 128 A100s in twelve days."),
    ("project", "We hoped to see 300B tokens in ten days."),
    ("concept", "Let's say I had 64 H100s for ten days."),
    ("concept", "You need 128 A100s for twelve days to train a 7B on 400B tokens."),
    ("concept", "For example, a batch of 4M tokens and 50k steps."),
    ("concept", "A 7B on 1T tokens takes 256 A100s for three weeks."),
    ("project", "Our run took twelve days. Typically you use 128 A100s."),
    # the numbers of an exercise
    (
        "estimation",
        "6 times 7B times 400B tokens is 1.7e22 FLOPs, and 128 A100s give 4e16 a second, so "
        "twelve days at 40%.",
    ),
    ("estimation", "We have 128 A100s, so for 400B tokens it takes twelve days."),
    (
        "estimation",
        "We trained a 7B on 400B tokens with 128 A100s, so I divided and got twelve days.",
    ),
    (
        "estimation",
        "I assumed 40% MFU, so I got twelve days on 128 A100s for the 400B tokens.",
    ),
    ("estimation", "With a batch of 4M tokens we got 100k steps."),
    ("estimation", "We needed 1.7e22 FLOPs, so we used 128 A100s for twelve days."),
    ("estimation", "Take 64 A100s for ten days."),
    ("estimation", "Our 7B on 400B tokens took 128 A100s and twelve days."),
    (
        "estimation",
        "I had 128 A100s in the question and 400B tokens, so that made twelve days.",
    ),
    ("estimation", "Suppose a 13B. We trained it on 300B tokens with 64 H100s in ten days."),
    ("derivation", "We ran 12,000 steps with 256 sequences of 4,096 tokens."),
    # different runs
    ("project", "We trained a 7B on 400B tokens. The 13B ran for twelve days."),
    ("project", "The first run had a batch of 4M tokens. The second run went for 50k steps."),
    ("project", "We pretrained with a batch of 4M tokens. The SFT took 900 steps."),
    ("project", "The 1B saw 20B tokens; the 7B took five days."),
    (
        "project",
        "We trained the reward model for 2,000 steps; DPO had a batch of 512 sequences of 2,048 "
        "tokens.",
    ),
    # not exact, not enough, not possible, not training
    (
        "project",
        "Our run saw 300B tokens: five days before the crash and then seven more days.",
    ),
    ("project", "We ramped the batch from 1M to 4M tokens and ran 50k steps."),
    ("project", "We trained on 300B tokens in less than ten days."),
    ("project", "We trained a 7B with LoRA on eight A100s."),
    (
        "project",
        "We trained a 70B on 1.4 trillion tokens with eight A100s in three days.",
    ),
    ("project", "We served the 7B on 64 A100s for ten days."),
    # in another style
    (
        "project",
        "Mistral's 7B, as far as I know, saw 8T tokens on about 500 H100s over two months.",
    ),
    ("project", "GPT-3 saw 300B tokens at a batch of 3.2M tokens."),
    ("project", "The Pythia suite used a batch of 2M tokens and 143k steps."),
    ("project", "My friend's startup trained a 3B on 100B tokens with 32 H100s in three days."),
    ("project", "The vendor told us that 64 H100s run a 7B over 150B tokens in six days."),
    (
        "project",
        "Next quarter we're going to train a 13B on 500B tokens with 256 H100s for nine days.",
    ),
    ("project", "With 64 A100s and ten days you get maybe 150B tokens through a 7B."),
    ("project", "We wanted 64 A100s for ten days, but never got them."),
    ("project", "We could have used 128 A100s for twelve days."),
    ("project", "The plan was 100k steps of 4M tokens."),
    ("concept", "For a 7B on 150B tokens I'd budget 64 A100s and ten days."),
    ("concept", "A run with a batch of 4M tokens and 250k steps is normal nowadays."),
    ("concept", "The compute-optimal 7B would see 140B tokens; on 64 A100s that's about a week."),
    ("concept", "Say a cluster of 512 H100s runs for 30 days."),
    ("concept", "In nanoGPT's README the 124M model takes four days on eight A100s."),
    ("estimation", "At 312 TFLOPs and 40% the 128 cards deliver 1.6e16 FLOP/s, so 12.2 days."),
    ("estimation", "If I had 256 H100s I'd finish in three days."),
    (
        "estimation",
        "So we trained on 400B tokens, and we had 128 A100s, and my result was twelve days.",
    ),
    ("estimation", "Our 128 A100s ran for twelve days then."),
    ("estimation", "We used 64 devices instead, and it took 24 days."),
    ("estimation", "I ran the numbers: 64 H100s for five days."),
    ("estimation", "With a 13B on 300B tokens, 64 H100s took us to ten days in this calculation."),
    ("estimation", "We'd have trained a 13B on 260B tokens with 64 H100s for eight days."),
    ("derivation", "We trained a 3B on 60B tokens with 16 H100s for three days."),
    (
        "project",
        "Our first model was a 1B with 20B tokens. Our second one ran for 12 days on 64 A100s? No "
        "idea about that one.",
    ),
    ("project", "Pretraining used 1T tokens; the SFT ran for six hours."),
    ("project", "We had between 64 and 128 A100s for about ten days."),
    ("project", "We trained on at least 300B tokens in ten days."),
    (
        "project",
        "The checkpoint we started from had seen 2T tokens; our fine-tuning took two days.",
    ),
    ("project", "Evaluation took 64 A100s for two days."),
    ("project", "The baseline from the paper saw 300B tokens in ten days; ours diverged."),
    ("project", "We never ran the 64 A100s for ten days."),
)
"""Kind of question, and an answer on which nothing may be said."""

CLASHING = (
    "We trained a 70B model on 1.4 trillion tokens with eight A100s in three days.",
    "In our own run the batch was 4M tokens, that's 256 sequences of length 2048.",
    "At my last company we pretrained a 70B on 2T tokens with 64 A100s in two weeks.",
    "6ND gives 1.7e22 FLOPs, so about twelve days. We trained a 70B on 2T tokens on 64 H100s in "
    "two weeks.",
    "When we trained ours we ran 100k steps with 512 sequences of 2,048 tokens, and it saw 2 "
    "trillion tokens.",
    "At my old job we ran 90k steps at twelve seconds a step. It was over in a day.",
    "I had 64 A100s at my old job. I trained a 70B on 2T tokens. It took two weeks.",
    "My own 3B saw 100B tokens, and it took five days on eight A100s.",
    "In practice we trained a 30B on 1T tokens with 32 H100s in a week.",
    "Our project used a corpus of 2B tokens; we ran three epochs, and it saw 60B tokens.",
)
"""Said on an estimation question about runs of one's own: cannot be true."""

EXERCISES = (
    "Take a 70B on 2T tokens: with 64 A100s that would be two weeks.",
    "For a 70B on 2T tokens with 64 A100s I get two weeks.",
    "We have a 70B on 2T tokens, 64 A100s, two weeks.",
    "A 70B on 2T tokens with 64 A100s takes two weeks.",
    "If we trained a 70B on 2T tokens with 64 A100s, we'd be done in two weeks.",
    "Suppose we trained a 70B on 2T tokens. We had 64 A100s. It took two weeks.",
    "We trained the 7B on 400B tokens, so we needed 1.7e22 FLOPs, and with 8 A100s it took three "
    "days.",
    "Let's say our 70B saw 2T tokens and had 64 A100s for two weeks.",
    "Llama's 70B was trained on 2T tokens; with 64 A100s it took two weeks.",
    "I assumed a batch of 4M tokens, 256 sequences of length 2048.",
    "The batch was 4M tokens, that's 256 sequences of length 2048.",
    "We got two weeks for the 70B on 2T tokens with 64 A100s.",
    "I used 64 A100s and two weeks for 2T tokens of a 70B.",
    "Our 7B saw 400B tokens, and with eight A100s it took one day.",
    "We multiplied: 70B, 2T tokens, 64 A100s, two weeks.",
    "They trained a 70B on 2T tokens with 64 A100s in two weeks.",
    "I ran through it: 70B, 2T tokens, 64 A100s, so two weeks.",
    "The exercise had a 70B on 2T tokens, and with our 64 A100s it took two weeks.",
)
"""Said on an estimation question as part of the estimate: claims nothing."""
