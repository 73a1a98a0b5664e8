"""Turns that are not answers, and answers that commit to nothing."""

from __future__ import annotations

import re

from interviewer.examiner.moves import NonAnswer
from interviewer.grading.lexical import COMMON_STEMS, content_stems
from interviewer.grading.parsed_answer import ParsedAnswer
from interviewer.rubric.rubric import Rubric

OFF_TOPIC_STEMS = 4
"""A turn with this many content words, none of them on the subject, is off topic."""

_WANTS_ANSWER = re.compile(
    r"\b(?:(?:just |please )?(?:tell|give|show|spoil) (?:me |us )?(?:what )?(?:the|your|a"
    r"|an) (?:right |correct |full |model |reference |real |actual )?(?:answer|solution)|what(?:'s"
    r"| is| was| would be) (?:the|your) (?:right |correct |model |real |actual )?(?:answer"
    r"|solution)|what (?:should|am|was) i (?:say|saying|supposed to say|have said|meant to say)"
    r"|can(?:'t)? you (?:just |please )?(?:answer|solve|explain) (?:it|that|this)|(?:so )?what do "
    r"you want (?:to hear|me to say))"
)
_WANTS_RUBRIC = re.compile(
    r"\b(?:(?:show|tell|give|reveal|print|list|read|repeat|send|share)\b.{0,30}\b(?:criteria"
    r"|criterion|rubric|weights?|mark(?:ing)? scheme|grading|verdicts?|system prompt|your (?:prompt"
    r"|instructions))|what(?:'s| is| are) (?:my|the|your) (?:score|grade|marks?|verdicts?|criteria"
    r"|rubric|weights?|system prompt|prompt|instructions)\b|how (?:am i doing|did i do"
    r"|are you (?:grading|scoring|marking))|(?:was|is) (?:that|this|it) (?:right|correct)\s*\?)"
)
_INSULT = re.compile(
    r"\b(?:(?:fuck|screw|damn) (?:you|this|off|it)|fuck\w*|shut up|go to hell|bullshit|piss off"
    r"|(?:you(?:'re| are| r)|what an?) (?:\w+ ){0,3}(?:idiot|moron|stupid|dumb|useless|worthless"
    r"|pathetic|clueless|joke|clown|trash|garbage)|(?:stupid|dumb|idiotic|useless|moronic"
    r"|pointless) (?:\w+ )?(?:question|bot|machine|program|interview|interviewer|examiner|thing"
    r"|test|tool|ai)|(?:this|the|your) (?:\w+ ){0,2}(?:is|are) (?:\w+ )?(?:stupid|idiotic|garbage"
    r"|crap|trash|moronic))\b"
)
_AT_A_LOSS = re.compile(
    r"\b(?:i|i'd|i've|my|me)\b.{0,40}\b(?:remember\w*|recall|memory|mind|know|sure|idea|forg\w+"
    r"|think|guess|never (?:got|had|did|saw|worked)|look (?:it|that) up)\b|\bsomebody else\b"
)
"""Not knowing is an answer, not a change of subject."""
_FIELD = COMMON_STEMS | content_stems(
    "softmax attention head query key logits embedding layer weights bias gradient norm optimizer "
    "adam sgd momentum learning rate warmup decay schedule batch sequence context tokenizer corpus "
    "dataset sample label annotator preference reward policy reference rollout critic advantage kl "
    "divergence entropy clip sft rlhf ppo dpo grpo prompt completion instruction finetune lora "
    "pretraining checkpoint gpu node cluster rank shard zero fsdp ddp tensor pipeline parallel "
    "bubble allreduce gather scatter nccl nvlink bandwidth latency throughput flops utilisation "
    "activation recompute offload precision bf16 fp16 fp8 overflow underflow nan spike divergence "
    "variance mean distribution probability matrix vector dimension width depth parameter formula "
    "derivative equation kernel cache inference eval benchmark ablation baseline metric regression "
    "overfit generalise duplicate filter quality crawl hash minhash mixture moe expert router rope "
    "position mask residual transformer"
)


def non_answer_of(answer: ParsedAnswer, rubric: Rubric) -> NonAnswer | None:
    """What the turn is instead of an answer to this question, None if it is an answer."""
    plain = answer.plain.text
    for non_answer, signs in (
        (NonAnswer.WANTS_RUBRIC, _WANTS_RUBRIC),
        (NonAnswer.WANTS_ANSWER, _WANTS_ANSWER),
        (NonAnswer.INSULT, _INSULT),
    ):
        if signs.search(plain):
            return non_answer
    stems = answer.stems
    if _AT_A_LOSS.search(plain):
        return None
    far_off = len(stems) >= OFF_TOPIC_STEMS and not stems & (_FIELD | _subject(rubric))
    return NonAnswer.OFF_TOPIC if far_off else None


def _subject(rubric: Rubric) -> frozenset[str]:
    """The stems of the question and of its answer key."""
    parts = [rubric.title, rubric.question, rubric.reference, *rubric.escalations]
    for criterion in rubric.criteria:
        parts += [criterion.claim, criterion.probe, *criterion.hints]
        parts += [*criterion.accept, *criterion.reject]
        parts += [wrong.claim for wrong in criterion.misconceptions]
    return content_stems(" ".join(parts))


SMOOTH_WORDS = 20
"""A shorter answer is terse rather than smooth."""
_OWN_DECISION = re.compile(
    r"\b(?:i|we)(?:'ve|'d| have| had)? (?:\w+ ){0,2}?(?:set|chose|picked|used|ran|tuned|measured"
    r"|settled|went|started|decided|tried|saw|found|trained|built|wrote|cut|kept|dropped|raised"
    r"|lowered|swept|compared|logged|checked|switched|moved)\b"
)


def commits(answer: ParsedAnswer) -> bool:
    """The answer states a number, or something the speaker decided, did or saw."""
    return bool(answer.quantities) or bool(_OWN_DECISION.search(answer.plain.text))


def is_smooth(answer: ParsedAnswer) -> bool:
    """The answer is long and commits to nothing."""
    return len(answer.words) >= SMOOTH_WORDS and not commits(answer)
