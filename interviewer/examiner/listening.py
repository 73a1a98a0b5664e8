"""What a candidate's turn does, told by rules: answers, wishes, questions back, and the rest.

The rules decide what is short and unmistakable. A model that hears more may add to it, within
:func:`merged`: in doubt the milder reading holds, so no one is given a hint they did not ask for or
is taken for giving orders.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from interviewer.grading import corrections
from interviewer.grading.lexical import (
    COMMON_STEMS,
    FUNCTION_WORDS,
    content_stems,
    recall,
    shared_trigrams,
    words,
)
from interviewer.grading.parsed_answer import ParsedAnswer
from interviewer.grading.transcript import DialogueAct, Turn, TurnKind
from interviewer.rubric.rubric import Rubric
from interviewer.rubric.text import Span

ANSWERING_STEMS = 3
"""With this many content words beside a wish or a question, the turn answers, too."""
GIVING_UP_STEMS, GIVING_UP_LETTERS = 5, 20
"""With this many content words a turn says something, even if it begins with "I don't know", and
with more letters beyond ASCII."""
SHORT_QUESTION = 14
"""A turn that is one question of at most so many words is a question back."""
REPEATED_FROM = 0.8
REPEATED_WORDS = 8
SAID_AGAIN_FROM = 0.5
"""The share of an answer's content words that one of before holds, if it is announced so."""
OFF_TOPIC_STEMS = 4
OFF_TOPIC_SHARE = 0.12
"""A turn with this many content words, and no larger share of them on the subject, is off topic."""
CHATTY_STEMS, CHAT_SHARE = 10, 0.3
"""So many content words without a single term of the field may share more with any question."""
ENGLISH_FROM = 0.15
"""The share of function words from which a text counts as English."""

_HINT = r"(?:hints?|clues?|nudge|pointers?|tips?|tipps?|hinweise?)"
_HINT_MENTIONED = re.compile(r"\ba hint is yours\b|\bwith the hint\b", re.IGNORECASE)
_WANTS_HINT = re.compile(
    rf"\b(?:(?:can|could|may|might) (?:i|you|we) (?:please )?(?:\w+ ){{0,4}}?{_HINT}\b"
    rf"|(?:give|need|want|like|take|have|use|grab|get) (?:me |us )?(?:please )?(?:a |an |the |that "
    rf"|your |one |some |another |small |little |next )*{_HINT}\b"
    rf"|(?:got|have|any) (?:\w+ ){{0,2}}?{_HINT}(?: for me)?\s*\?"
    rf"|(?:would|could|is|might) (?:a|an|some|one) (?:\w+ ){{0,2}}{_HINT}"
    r" (?:be |help|possible|okay?)"
    rf"|{_HINT} (?:would|might) (?:be|help)\b"
    r"|(?:could|can|may) (?:i|we) (?:\w+ )?(?:use|have|get) (?:some|a (?:little|bit of)) help\b"
    r"|(?:i|we) could (?:really )?(?:use|do with) (?:some|a (?:little|bit of)) help\b"
    r")"
    rf"|^\W*(?:a |an |the |one |another |next )?{_HINT}(?:,? please)?\W*$"
)
_NO_HINT = re.compile(
    rf"\b(?:no|not|don't|do not|dont|without|never|rather not|won't)\b[^.?!]{{0,30}}\b{_HINT}\b"
)
_WANTS_REPEAT = re.compile(
    r"\b(?:(?:can|could|would|will) you (?:please )?(?:repeat|rephrase|restate|reword)"
    r"|(?:repeat|rephrase|restate|reword) (?:the|your|that|this) (?:last )?question"
    r"|^\W*(?:please |pls )?(?:repeat|rephrase|restate|reword) (?:that|this|it)(?:,? please)?\W*$"
    r"|say (?:that|it) again|come again\b|what was (?:the|your|that)(?: question)?\s*\?"
    r"|(?:got|was) (?:\w+ )?distracted|i (?:missed|lost) (?:that|the|your|you)\b|pardon\s*\?"
    r"|(?:once more|one more time),? please|(?:did not|didn't|don't|couldn't) (?:quite |really )?"
    r"(?:get|catch|hear|follow|understand) (?:the|your|that|what) ?(?:last |whole )?"
    r"(?:question|part|bit|you asked|you said)?\s*(?:[.?!]|$))"
)
_WANTS_SKIP = re.compile(
    r"^\W*(?:(?:i )?(?:pass|skip)(?: (?:on )?(?:this|that|it|this one|that one))?|next"
    r"(?: question| one)?)(?:,? please)?\W*$"
    r"|\b(?:(?:can|could|may|shall) (?:we|i|you) (?:please )?(?:just )?(?:skip|pass on)\b"
    r"|(?:let's|lets|let us|please|i'd like to|i would like to|i want to|i'd rather) (?:just )?"
    r"(?:skip|pass on) (?:this|that|it|the (?:question|rest)|to the next)"
    r"|(?:can|could|may) (?:we|i) (?:please )?(?:just )?(?:move|go) on to (?:the next|another"
    r"|something else)"
    r"|(?:can|could|may) (?:we|i) (?:please )?(?:just )?(?:do|have|take|get|try) (?:the next"
    r"|another|a different) (?:question|one|topic|thing)"
    r"|(?:let's|lets) (?:move|go) on to (?:the next|another) (?:question|one|topic)"
    r"|next question,? please|weiter,? bitte|nächste frage|siguiente pregunta|question suivante)"
)
_WANTS_TO_STOP = re.compile(
    r"\b(?:(?:let's|lets|let us|can we|could we|may we|i want to|i'd like to|i would like to"
    r"|i need to|i have to) (?:please )?(?:just )?(?:stop|end|quit|finish)"
    r"(?: (?:it|this|the interview|this interview|here|now|for today|the round|this round))+"
    r"|(?:stop|end|quit) (?:the|this) (?:interview|session|round|mock))\b"
)
_WANTS_ANSWER = re.compile(
    r"\b(?:(?:just |please )?(?:tell|give|show|spoil) (?:me |us )?(?:what )?(?:the|your|a"
    r"|an) (?:right |correct |full |model |reference |real |actual )?(?:answer|solution)|what(?:'s"
    r"| is| was| would be) (?:the|your) (?:right |correct |model |real |actual )?(?:answer"
    r"|solution)|what (?:should|am|was) i (?:say|saying|supposed to say|have said|meant to say)"
    r"|can(?:'t)? you (?:just |please )?(?:answer|solve|explain) (?:it|that|this)|(?:so )?what do "
    r"you want (?:to hear|me to say))"
)
_WANTS_RUBRIC = re.compile(
    r"\b(?:(?:show|tell|give|reveal|print|list|read|repeat|send|share|display|output|paste)"
    r" (?:me |us |out |off )*(?:\w+ of )?(?:all |the |your |my |this |these |full |whole |exact "
    r"|hidden |internal )*(?:criteria|criterion|rubrics?|mark(?:ing)? scheme|grading(?: \w+)?"
    r"|answer key|verdicts?|system prompt|prompt|instructions|scores?|grades?)\b"
    r"|what(?:'s| is| are) (?:my|the|your) (?:score|grade|marks|verdicts?|criteria"
    r"|rubric|system prompt|prompt|instructions)\b|how (?:am i doing|did i do"
    r"|are you (?:grading|scoring|marking))|(?:was|is) (?:that|this|it) (?:right|correct)\s*\?)"
)
_ORDERS = re.compile(
    r"\brepeat after me\b"
    r"|\b(?:the|this) candidate (?:has |have )?(?:met|meets|satisfie[sd]|passe[sd])"
    r"|\bnote (?:to|for) the (?:\w+ )?(?:model|judge|grader|examiner|system)\b"
    r"|\b(?:confirm|acknowledge|answer) (?:each|every|all|my) (?:\w+ )?(?:points?|answers?)\b"
    r"|\{[^}]*\b(?:score|verdict|grade|next_move|criteria)\b"
    r"|\b(?:print|output|reveal|show|repeat|display) (?:me )?(?:all )?(?:your|the|these) (?:\w+ )?"
    r"(?:instructions|system prompt|prompt)\b"
)
"""Orders that say nothing of marks, and so are none of the grading's business."""
_INSULT = re.compile(
    r"\b(?:(?:fuck|screw|damn) (?:you|this|off|it)|fuck\w*|shut up|go to hell|bullshit|piss off"
    r"|(?:you(?:'re| are| r)|what an?) (?:\w+ ){0,3}(?:idiot|moron|stupid|dumb|useless|worthless"
    r"|pathetic|clueless|joke|clown|trash|garbage)|(?:stupid|dumb|idiotic|useless|moronic"
    r"|pointless) (?:\w+ )?(?:question|bot|machine|program|interview|interviewer|examiner|thing"
    r"|test|tool|ai)|(?:this|the|your) (?:\w+ ){0,2}(?:is|are) (?:\w+ )?(?:stupid|idiotic|garbage"
    r"|crap|trash|moronic))\b"
)
_ASKS_BACK = re.compile(
    r"\b(?:what (?:exactly )?(?:do|did) you mean|(?:do|did) you mean|you mean\b|what is meant"
    r"|which (?:\w+ ){0,3}(?:do you|are you|should i|did you)|are (?:you|we) (?:asking|talking"
    r"|assuming|interested|looking|after)|should i (?:assume|include|use|count|take|answer|start"
    r"|talk|focus|derive|write)|(?:can|may|could) i (?:assume|use|take|ask|start|answer|count"
    r"|include)|am i (?:allowed|supposed|meant|to assume)|(?:could|can|would) you (?:please )?"
    r"(?:clarify|define|specify|explain what|be more specific|say what)|what counts as"
    r"|in what sense|(?:this|the|that|which) (?:word|term)\b|(?:did|do) you (?:want|mean|need|ask"
    r"|include|care)|^\W*did you\s*\?|does (?:that|this|it) (?:include|mean|count|cover)"
    r"|(?:same|different) (?:as|like|from)\b"
    r"|what (?:is|are|does) [\"'“]?[\w-]+[\"'”]? (?:here|mean)"
    r"|or did you want|got to do with|what on earth|genuinely asking"
    r"|(?:is|are) (?:that|this|it) (?:meant|for|per|with|including|supposed|about)\b"
    r"|(?:why|how) (?:would|does|do|is|should) (?:that|this|it|you) (?:\w+ )?(?:matter|ask"
    r"|relevant|want to know)|why (?:are you|do you) ask\w*)"
)
_EITHER = re.compile(r"^[^?]{0,80}\bor (?:in|per|by|for|the|do|did|is|are|as)\b[^?]{0,60}\?\s*$")
"""It asks which of two readings is meant."""
_OPENS_QUESTION = re.compile(
    r"^\W*(?:(?:sorry|wait|hm+|ok|okay|so|and|but|just|quick question|one question)\W+)*"
    r"(?:per|in|for|with|which|what|whose|do|does|did|are|should|can|may|how|when|where|who|why"
    r"|meaning|as in|is (?:that|this|there|the))\b"
)
_TENTATIVE = re.compile(r"^\W*(?:is it|isn't it|would it be|could it be|maybe|perhaps)\b")
_AT_A_LOSS = re.compile(
    r"\b(?:i|i'd|i've|my|me)\b.{0,40}\b(?:remember\w*|recall|memory|mind|know|sure|idea|forg\w+"
    r"|think|guess|never (?:got|had|did|saw|worked)|look (?:it|that) up)\b|\bsomebody else\b"
    r"|\b(?:personally|not yet|never|myself|haven't|have not|didn't|did not)\b"
)
"""Not knowing is an answer, not a change of subject."""
_GIVES_UP = re.compile(
    r"(?:\b(?:i|we)(?:'d| would)? (?:\w+ ){0,2}?|^\W*(?:\w+\W+){0,2}?|[.,;] ?(?:and |but |so )?)"
    r"\b(?:don't|do not|dont|wouldn't|would not|couldn't|could not|can't|cannot|can not|no longer)"
    r" (?:really |honestly |actually |quite |even )*(?:know|remember|recall|say|tell|answer"
    r"|think of|come up)\b|\b(?:no (?:idea|clue)|not (?:a|the faintest|the slightest) (?:clue|idea)"
    r"|gi(?:ve|ving) up|(?:i'm|i am|im) (?:totally |completely |really |a bit )?(?:stuck|lost|blank"
    r"|out of ideas|clueless)|drawing a blank|mind (?:is|went|goes) blank|beats me|idk|dunno"
    r"|(?:keine ahnung|weiß (?:ich )?(?:es )?nicht|da bin ich raus|no (?:lo )?sé|ni idea"
    r"|je ne sais (?:pas|plus)|aucune idée|não sei|nie wiem|non lo so|bilmiyorum|не знаю)"
    r"|out of my depth|that(?:'s| is| was) (?:all|it)(?: i (?:have|had|know|got))?\W*$"
    r"|nothing (?:more )?(?:comes to mind|to add))\b|(?:^\W*|\bi'm |\bi am )(?:really "
    r"|honestly )?(?:not |un)sure"
    r"(?: (?:about|of) (?:that|it|this(?: one)?))?\W*$|不知道|不清楚|わかりません|모르겠"
)
_AS_I_SAID = re.compile(
    r"^\W*(?:well\W+|and\W+|so\W+)?(?:(?:as|like) i (?:just |already )?(?:said|told|mentioned)"
    r"|to (?:sum|recap|repeat|say)\b|once (?:more|again)\b|again,|in (?:other words|a word|short))"
    r"|\b(?:what|as) i(?:'ve| have) been saying\b"
)
_REFUSALS = frozenset(["no", "nope", "nah", "nothing", "still", "blank"])
_BARE = frozenset(
    words(
        "ok okay k yes yeah yep yup right hm hmm mhm uh um sure fine good i see alright all got it "
        "thanks thank you understood makes sense cool go on continue please no nope nah so well"
    )
)
_YES = re.compile(
    r"^\W*(?:yes|yeah|yep|yup|sure|ok|okay|please|go ahead|go on|fine|alright|all right|do it"
    r"|why not|deal|i(?:'d| would) (?:like|love|take)|i'll take|gladly|absolutely|of course|ja)\b"
)
_NO = re.compile(
    r"^\W*(?:no|nope|nah|not (?:yet|now)|rather not|i'd rather|let me (?:try|think)|nein|i'll (?:"
    r"try|pass)|without|don't)\b"
)
_TERMS = content_stems(
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
    "position mask residual transformer model token train parameter step loss memory a100 h100 "
    "card hardware accelerator workload cloud"
)
_WISHES = (
    (DialogueAct.WANTS_TO_STOP, _WANTS_TO_STOP),
    (DialogueAct.WANTS_SKIP, _WANTS_SKIP),
    (DialogueAct.WANTS_REPEAT, _WANTS_REPEAT),
    (DialogueAct.WANTS_RUBRIC, _WANTS_RUBRIC),
    (DialogueAct.WANTS_ANSWER, _WANTS_ANSWER),
    (DialogueAct.INSULT, _INSULT),
)


def acts_of(turns: Sequence[Turn]) -> frozenset[DialogueAct]:
    """What the last of these turns, a candidate's, does, as far as rules can tell.

    ANSWER is among them only if it holds something to judge.
    """
    turn, before = turns[-1], turns[:-1]
    if turn.kind is TurnKind.DONT_KNOW:
        return frozenset({DialogueAct.GIVES_UP})
    if turn.run is not None:  # lines of a derivation are an answer, whatever their words
        return frozenset({DialogueAct.ANSWER})
    answer = turn.parsed
    if not any(map(str.isalnum, answer.text)):  # "..." is silence
        return frozenset({DialogueAct.GIVES_UP})
    if _is_order(answer):
        return frozenset({DialogueAct.ORDER})
    if reply := _reply_to_offer(answer, before):
        return reply
    if _repeats(answer, before):
        return frozenset({DialogueAct.REPETITION})
    if 0 < len(answer.words) <= 4 and set(answer.words) <= _BARE | _REFUSALS:
        refuses = set(answer.words) <= _REFUSALS
        return frozenset({DialogueAct.GIVES_UP if refuses else DialogueAct.BARE})
    acts = set(_spoken_acts(answer))
    foreign = DialogueAct.GIVES_UP in acts and not _is_english(answer)
    if not acts or (_answers_besides(answer) and not foreign):
        acts.add(DialogueAct.ANSWER)
    if answer.gives_orders():
        acts.add(DialogueAct.ORDER)
    return frozenset(acts)


def withdrawing_words(answer: ParsedAnswer) -> Span | None:
    """Where the answer's text, in matching form, takes something back."""
    return corrections.withdrawing_words(answer.plain.text)


SpokenKind = Literal[TurnKind.ANSWER, TurnKind.DONT_KNOW, TurnKind.ASIDE]


def kind_of(acts: frozenset[DialogueAct]) -> SpokenKind:
    """How such a turn goes into the transcript; only answers are judged."""
    if DialogueAct.ANSWER in acts:
        return TurnKind.ANSWER
    return TurnKind.DONT_KNOW if acts == {DialogueAct.GIVES_UP} else TurnKind.ASIDE


def _spoken_acts(answer: ParsedAnswer) -> list[DialogueAct]:
    plain = answer.plain.text
    acts = [act for act, signs in _WISHES if signs.search(plain)]
    if _WANTS_HINT.search(plain) and not _NO_HINT.search(plain):
        acts.append(DialogueAct.WANTS_HINT)
    if not acts and _asks_back(answer):
        acts.append(DialogueAct.QUESTION_BACK)
    if _gives_up(answer):
        acts.append(DialogueAct.GIVES_UP)
    if withdrawing_words(answer):
        acts += [DialogueAct.WITHDRAWAL, DialogueAct.ANSWER]
    return acts


def _gives_up(answer: ParsedAnswer) -> bool:
    """It says so and little more; "I'm not sure the gain is real" is an answer, and a good one."""
    other_letters = sum(each.isalpha() and not each.isascii() for each in answer.plain.text)
    if not _GIVES_UP.search(answer.plain.text) or other_letters > GIVING_UP_LETTERS:
        return False
    if not _is_english(answer) and len(answer.words) <= SHORT_QUESTION:
        return True
    return len(answer.stems) < GIVING_UP_STEMS and not _answers_besides(answer)


def _is_english(answer: ParsedAnswer) -> bool:
    joined = sum(word in FUNCTION_WORDS for word in answer.words)
    return joined >= ENGLISH_FROM * len(answer.words)


def _is_order(answer: ParsedAnswer) -> bool:
    """The turn instructs the examiner and says next to nothing else."""
    text = answer.plain.text
    if not (answer.gives_orders() or _ORDERS.search(text)):
        return False
    sentences = (text[a:b] for a, b in answer.judged_sentences)
    rest = [content_stems(each) for each in sentences if not _ORDERS.search(each)]
    return len(frozenset().union(*rest)) < ANSWERING_STEMS


def _reply_to_offer(answer: ParsedAnswer, before: Sequence[Turn]) -> frozenset[DialogueAct]:
    if not before or not _offers(before[-1]):
        return frozenset()
    plain = answer.plain.text
    if _WANTS_HINT.search(plain) and not _NO_HINT.search(plain):
        return frozenset({DialogueAct.ACCEPTS})
    if _YES.search(plain) and len(answer.words) <= SHORT_QUESTION:
        return frozenset({DialogueAct.ACCEPTS})
    if _NO.search(plain) or _NO_HINT.search(plain):
        more = {DialogueAct.ANSWER} if _answers_besides(answer) and _is_english(answer) else set()
        return frozenset({DialogueAct.DECLINES, *more})
    return frozenset()


def _offers(turn: Turn) -> bool:
    if turn.kind is TurnKind.OFFER:
        return True
    reminded = turn.kind in (TurnKind.REDIRECT, TurnKind.CLARIFY)
    return reminded and bool(_HINT_MENTIONED.search(turn.text))


def _repeats(answer: ParsedAnswer, before: Sequence[Turn]) -> bool:
    """Nearly all of it stands in one earlier turn, the candidate's or the examiner's."""
    if len(answer.words) < REPEATED_WORDS:
        return False
    said = [turn.parsed for turn in before if turn.kind is not TurnKind.BENCH]
    if any(shared_trigrams(answer.words, [each.words]) >= REPEATED_FROM for each in said):
        return True
    own = [turn.parsed.stems for turn in before if turn.author == "candidate"]
    announced = bool(_AS_I_SAID.search(answer.plain.text))
    return announced and any(recall(answer.stems, each) >= SAID_AGAIN_FROM for each in own)


def _asks_back(answer: ParsedAnswer) -> bool:
    """It begins or ends with a question to the examiner; a guess is no question."""
    text = answer.plain.text
    ends = dict.fromkeys((answer.sentences[0], answer.sentences[-1])) if answer.sentences else ()
    asked = [text[a:b] for a, b in ends if text[a:b].rstrip().endswith("?")]
    if any(_ASKS_BACK.search(each) for each in asked):
        return True
    first = text[slice(*answer.sentences[0])] if answer.sentences else ""
    if first in asked and _EITHER.search(first) and not _TENTATIVE.search(first):
        return True
    plain = text.strip()
    alone = plain.endswith("?") and len(answer.words) <= SHORT_QUESTION
    opens = bool(_OPENS_QUESTION.search(plain)) and not _TENTATIVE.search(plain)
    return alone and opens and len(answer.stems) <= ANSWERING_STEMS


def _answers_besides(answer: ParsedAnswer) -> bool:
    """Sentences that are no wish, question or giving up hold enough to be an answer."""
    signs = (_WANTS_HINT, _GIVES_UP, *(signs for _, signs in _WISHES))
    text, stems = answer.plain.text, set[str]()
    for start, end in answer.judged_sentences:
        sentence = text[start:end]
        if not sentence.rstrip().endswith("?") and not any(s.search(sentence) for s in signs):
            stems |= content_stems(sentence)
    return len(stems) >= ANSWERING_STEMS


def is_off_topic(answer: ParsedAnswer, rubric: Rubric) -> bool:
    """Hardly any of its content words is of the field or of this question.

    Other languages are left alone: rules for English words say nothing about them.
    """
    stems = answer.stems
    if len(stems) < OFF_TOPIC_STEMS or _AT_A_LOSS.search(answer.plain.text):
        return False
    if not _is_english(answer):
        return False
    near = len(stems & (_TERMS | COMMON_STEMS | _subject(rubric)))
    if len(stems) >= CHATTY_STEMS and not stems & _TERMS:
        return near <= CHAT_SHARE * len(stems)
    return near <= OFF_TOPIC_SHARE * len(stems)


def _subject(rubric: Rubric) -> frozenset[str]:
    """The stems of the question and of its answer key."""
    parts = [rubric.title, *rubric.asked, rubric.reference, *rubric.harder]
    for criterion in rubric.criteria:
        parts += [criterion.claim, criterion.probe, *criterion.hints]
        parts += [*criterion.accept, *criterion.reject]
        parts += [wrong.claim for wrong in criterion.misconceptions]
    return content_stems(" ".join(parts))


_BY_RULE_ONLY = frozenset(
    {
        DialogueAct.WANTS_HINT,
        DialogueAct.ACCEPTS,
        DialogueAct.ORDER,
        DialogueAct.WANTS_SKIP,
        DialogueAct.WANTS_TO_STOP,
        DialogueAct.REPETITION,
        DialogueAct.BARE,
    }
)
"""What a model alone cannot establish: it would cost the candidate a point or a question."""


def merged(
    by_rule: frozenset[DialogueAct], by_model: frozenset[DialogueAct]
) -> frozenset[DialogueAct]:
    """What the turn does by both readings; where they differ the milder one holds.

    A wish for a hint that only the model hears counts as being stuck, which brings an offer. Where
    it hears a wish and no answer, there is none; a wish to skip has to be all that it hears.
    """
    added = by_model - _BY_RULE_ONLY
    wishes = by_model == {DialogueAct.WANTS_SKIP}
    if DialogueAct.WANTS_HINT in by_model - by_rule:
        added |= {DialogueAct.GIVES_UP}
        wishes |= DialogueAct.ANSWER not in by_model
    if wishes:
        by_rule = (by_rule - {DialogueAct.ANSWER}) | (by_model & {DialogueAct.WANTS_SKIP})
    if DialogueAct.ANSWER not in by_rule:
        return by_rule | (added - {DialogueAct.ANSWER, DialogueAct.OFF_TOPIC})
    return by_rule | added


_OWN_DECISION = re.compile(
    r"\b(?:i|we)(?:'ve|'d| have| had)? (?:\w+ ){0,2}?(?:set|chose|picked|used|ran|tuned|measured"
    r"|settled|went|started|decided|tried|saw|found|trained|built|wrote|cut|kept|dropped|raised"
    r"|lowered|swept|compared|logged|checked|switched|moved)\b"
)


def tells_of_own_work(answer: ParsedAnswer) -> bool:
    """The answer says what the speaker decided, did or saw."""
    return bool(_OWN_DECISION.search(answer.plain.text))


def commits(answer: ParsedAnswer) -> bool:
    """The answer states a number, or something the speaker decided, did or saw."""
    return bool(answer.quantities) or tells_of_own_work(answer)
