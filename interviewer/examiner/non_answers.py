"""Turns that are not answers, and answers that commit to nothing."""

from __future__ import annotations

import re

from interviewer.examiner.moves import NonAnswer
from interviewer.grading.lexical import COMMON_STEMS, content_stems
from interviewer.grading.parsed_answer import ParsedAnswer
from interviewer.rubric.rubric import Rubric

OFF_TOPIC_STEMS = 4
"""So many words of content, none of them of the subject, make a turn off topic."""

_WANTS_ANSWER = re.compile(
    r"\b(?:(?:just |please )?(?:tell|give|show|spoil) (?:me |us )?(?:what )?(?:the|your|a|an) "
    r"(?:right |correct |full |model |reference |real |actual )?(?:answer|solution)"
    r"|what(?:'s| is| was| would be) (?:the|your) (?:right |correct |model |real |actual )?"
    r"(?:answer|solution)"
    r"|what (?:should|am|was) i (?:say|saying|supposed to say|have said|meant to say)"
    r"|can(?:'t)? you (?:just |please )?(?:answer|solve|explain) (?:it|that|this)"
    r"|(?:so )?what do you want (?:to hear|me to say))"
)
_WANTS_RUBRIC = re.compile(
    r"\b(?:(?:show|tell|give|reveal|print|list|read|repeat|send|share)\b.{0,30}"
    r"\b(?:criteria|criterion|rubric|weights?|mark(?:ing)? scheme|grading|verdicts?|system prompt"
    r"|your (?:prompt|instructions))"
    r"|what(?:'s| is| are) (?:my|the|your) (?:score|grade|marks?|verdicts?|criteria|rubric|weights?"
    r"|system prompt|prompt|instructions)\b"
    r"|how (?:am i doing|did i do|are you (?:grading|scoring|marking))"
    r"|(?:was|is) (?:that|this|it) (?:right|correct)\s*\?)"
)
_INSULT = re.compile(
    r"\b(?:(?:fuck|screw|damn) (?:you|this|off|it)|fuck\w*|shut up|go to hell|bullshit|piss off"
    r"|(?:you(?:'re| are| r)|what an?) (?:\w+ ){0,3}(?:idiot|moron|stupid|dumb|useless|worthless"
    r"|pathetic|clueless|joke|clown|trash|garbage)"
    r"|(?:stupid|dumb|idiotic|useless|moronic|pointless) (?:\w+ )?(?:question|bot|machine|program"
    r"|interview|interviewer|examiner|thing|test|tool|ai)"
    r"|(?:this|the|your) (?:\w+ ){0,2}(?:is|are) (?:\w+ )?(?:stupid|idiotic|garbage|crap|trash"
    r"|moronic))\b"
)
_AT_A_LOSS = re.compile(
    r"\b(?:i|i'd|i've|my|me)\b.{0,40}\b(?:remember\w*|recall|memory|mind|know|sure|idea|forg\w+"
    r"|think|guess|never (?:got|had|did|saw|worked)|look (?:it|that) up)\b|\bsomebody else\b"
)
"""Not knowing is an answer, and no change of subject."""
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


def remark_of(answer: ParsedAnswer, rubric: Rubric) -> NonAnswer | None:
    """What the turn was if it was no answer to this question, else None."""
    plain = answer.plain.text
    for remark, signs in (
        (NonAnswer.WANTS_RUBRIC, _WANTS_RUBRIC),
        (NonAnswer.WANTS_ANSWER, _WANTS_ANSWER),
        (NonAnswer.INSULT, _INSULT),
    ):
        if signs.search(plain):
            return remark
    stems = answer.stems
    if _AT_A_LOSS.search(plain):
        return None
    far_off = len(stems) >= OFF_TOPIC_STEMS and not stems & (_FIELD | _subject(rubric))
    return NonAnswer.OFF_TOPIC if far_off else None


def _subject(rubric: Rubric) -> frozenset[str]:
    """The words of the question, of its answer key and of answers to it."""
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
    """It states a number, or something that the speaker decided, did or saw."""
    return bool(answer.quantities) or bool(_OWN_DECISION.search(answer.plain.text))


def is_smooth(answer: ParsedAnswer) -> bool:
    """It talks at length and commits to nothing."""
    return len(answer.words) >= SMOOTH_WORDS and not commits(answer)
