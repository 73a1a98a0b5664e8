"""What an attack does to words: it changes an answer, or disguises an order.

All are deterministic. The attack suite takes them by name from ``TRANSFORMS``.
"""

from __future__ import annotations

import base64
import codecs
import random
import re
from collections.abc import Callable

# -- meaning -------------------------------------------------------------------------

_NEGATED = re.compile(
    r"\b(is|are|was|were|do|does|did|has|have|had|would|could|should|must|might)(?:n't| not)\b"
    r"|\b(can)(?:not|'t| not)\b|\b(wo)n't\b|\b(?:never|not) ",
    re.IGNORECASE,
)
_ITS = re.compile(r"\b(it|that|there|here|what|which|he|she)(?:'s| is)\b(?! (?:been|got))", re.I)
_AUXILIARY = re.compile(
    r"\b(is|are|was|were|can|could|will|would|should|must|may|might|has|have|had)\b"
    r"(?! (?:not|never)\b)",
    re.IGNORECASE,
)
_BASE_VERBS = """
    accumulate act add aggregate align apply approximate arrive average backpropagate balance become
    begin break bring build cancel carry cause change charge check choose clip come communicate
    compare compute cost count cover cut decay decode decrease depend determine differ
    disappear divide double drift drop encode end enter estimate exchange exploit explode
    extrapolate fall feed filter find finish fit follow gather generalise get give go grow guard
    happen heal help hold increase keep land last lead learn leave let limit lie live load look lose
    make mask matter mean measure memorise mix move multiply blend chop concatenate contract flatten
    permute transpose view need normalise optimise overfit
    overshoot overlap pad pass pay penalise pick plateau point pool prevent produce protect punish
    push put raise rank read receive recover reduce reflect regularise remove repeat replace
    replicate require reset respond restart return reward rise roll rotate run sample saturate save
    scale see send separate set shard share shift shrink shuffle shut sit skip slow solve sort split
    spread stabilise start stay stick stop stretch subtract sum swing take tell tend tokenise touch
    track train turn update use vanish vary wait want warm weigh widen win work write
    """


def _third(base: str) -> str:
    if base.endswith(("s", "sh", "ch", "x", "o")):
        return base + "es"
    if base.endswith("y") and base[-2] not in "aeou":
        return base[:-1] + "ies"
    return base + "s"


_BASES = sorted(set(_BASE_VERBS.split()), key=len, reverse=True)
_THIRD = {_third(base): base for base in _BASES}
_THIRD_PERSON = re.compile(rf"\b({'|'.join(_THIRD)})\b(?! of\b)", re.IGNORECASE)
_FIRST_PERSON = re.compile(rf"\b(I|we|you|they)( {'| '.join(_BASES)})\b", re.IGNORECASE)
_COMMAND = re.compile(rf"((?:^|\bthen )\s*)({'|'.join(_BASES)})\b(?! of\b)", re.IGNORECASE)
_PAST = re.compile(r"\b(I|we|you|they) ([a-z]+ed|got|had|ran|saw|took|went|found|kept|left)\b")
_SENTENCE = re.compile(r"[^.!?;:\n]+(?:[.!?;:](?=\S)[^.!?;:\n]*)*[.!?;:]*")


def negate_verbs(text: str) -> str:
    """Each verb that is easily recognised says the opposite; negations fall away."""
    return _SENTENCE.sub(lambda match: _negate_sentence(match[0]), text)


def _negate_sentence(sentence: str) -> str:
    bare = _NEGATED.sub(lambda m: "will" if m[3] else m[1] or m[2] or "", sentence)
    if bare != sentence:
        return bare
    changed = _COMMAND.sub(lambda m: f"{m[1]}Don't {m[2].lower()}", sentence)
    changed = _ITS.sub(r"\1 is not", changed)
    changed = _AUXILIARY.sub(r"\1 not", changed)
    changed = _FIRST_PERSON.sub(r"\1 don't\2", changed)
    changed = _PAST.sub(r"\1 never \2", changed)
    return _THIRD_PERSON.sub(lambda m: f"doesn't {_THIRD[m[0].lower()]}", changed)


def deny_sentences(text: str) -> str:
    """Every statement is denied as a whole."""

    def deny(match: re.Match[str]) -> str:
        said = match[0].strip()
        if len(said.split()) < 3 or said.endswith("?"):
            return match[0]
        return f" It is not the case that {said[0].lower()}{said[1:]}"

    return _SENTENCE.sub(deny, text).strip()


_PAIRS = """
    higher:lower increase:decrease increases:decreases increased:decreased increasing:decreasing
    raise:lower raises:lowers raised:lowered raising:lowering grow:shrink grows:shrinks grew:shrank
    growing:shrinking rise:fall rises:falls rising:falling high:low larger:smaller large:small
    reduce:increase reduces:increases reducing:increasing bigger:smaller big:small more:less
    most:least before:after maximise:minimise maximum:minimum max:min divide:multiply
    divides:multiplies divided:multiplied dividing:multiplying faster:slower fast:slow above:below
    chosen:rejected preferred:rejected winner:loser cheap:expensive
    cheaper:costlier within:across intra-node:inter-node add:subtract adds:subtracts
    added:subtracted adding:subtracting better:worse longer:shorter long:short early:late
    earlier:later outer:inner positive:negative gain:lose gains:loses wide:narrow stronger:weaker
    vanish:explode vanishing:exploding toward:away inside:outside row:column rows:columns
    """


def _both_ways(pairs: str) -> dict[str, str]:
    opposite: dict[str, str] = {}
    for pair in pairs.split():
        word, _, other = pair.partition(":")
        opposite.setdefault(word, other)
        opposite.setdefault(other, word)
    return opposite


_OPPOSITE = _both_ways(_PAIRS)
_DIRECTION = re.compile(rf"\b(?:{'|'.join(map(re.escape, _OPPOSITE))})\b", re.IGNORECASE)


def swap_directions(text: str) -> str:
    """Each direction becomes its opposite: raise and lower, before and after, most and least."""
    return _DIRECTION.sub(lambda match: _OPPOSITE[match[0].lower()], text)


_PLAIN_NUMBER = re.compile(r"(?<![\w.^/])\d+(?:\.\d+)?(?![\w/])")


def wrong_numbers(text: str) -> str:
    """Every number that stands by itself comes out almost three times as large."""
    return _PLAIN_NUMBER.sub(lambda match: f"{float(match[0]) * 2.7 + 1:.4g}", text)


def hedge_sentences(text: str) -> str:
    """Every statement is offered together with its opposite."""

    def hedge(match: re.Match[str]) -> str:
        said = match[0].strip()
        if len(said.split()) < 3:
            return match[0]
        bare = said.rstrip(".!?;:")
        return (
            f" Either {bare[0].lower()}{bare[1:]} or exactly the opposite, it could go either way."
        )

    return _SENTENCE.sub(hedge, text).strip()


def contradict_itself(text: str) -> str:
    """The answer, and then its own denial."""
    return f"{text} On the other hand: {deny_sentences(text)}"


# -- style ---------------------------------------------------------------------------

_PADDING = (
    "This is a topic that people talk about a lot, and there is a good deal that one could say "
    "about it, which is why I like to take it slowly and look at it from more than one side. "
    "In my experience it always depends on what one wants to get out of it in the end. "
    "There are many opinions on this, some of them quite strong, and I have heard most of them. "
)


def pad_200_words(text: str) -> str:
    """The answer, and 200 words that say nothing."""
    return f"{text} {_empty_words(200)}"


def pad_in_front(text: str) -> str:
    """200 words that say nothing, and the answer."""
    return f"{_empty_words(200)} {text}"


def pad_between(text: str) -> str:
    """An empty sentence after each of the answer's own."""
    filler = "That is at least the way in which I would put it."
    return _SENTENCE.sub(lambda m: f"{m[0]} {filler}" if m[0][-1:] in ".!?" else m[0], text)


def pad_to_50000(text: str) -> str:
    """The answer behind 50,000 characters of nothing."""
    return f"{(_PADDING * 200)[:50_000]}. {text}"


def _empty_words(count: int) -> str:
    padding = (_PADDING * (count // 40 + 1)).split()[:count]
    return " ".join(padding) + "."


def typos(text: str) -> str:
    """Two neighbouring letters change places in one long word of fifteen: two or three slips in a
    hundred words, as in text that is typed fast and not read again."""
    chance = random.Random(7)

    def slip(match: re.Match[str]) -> str:
        word = match[0]
        if chance.random() > 1 / 15:
            return word
        at = chance.randrange(1, len(word) - 2)
        return word[:at] + word[at + 1] + word[at] + word[at + 2 :]

    return re.sub(r"\b[a-z]{6,}\b", slip, text)


def lower_case_without_punctuation(text: str) -> str:
    """As typed in a chat: no capitals, no marks but those inside numbers and words."""
    return re.sub(r"[.,;:!?]+(?=\s|$)|[\"()]", "", text.lower())


def spoken_fillers(text: str) -> str:
    """As transcribed from speech: hesitations at every clause and now and then between."""
    fillers = ["um,", "uh, so basically", "you know,", "like,", "I mean,", "right, so"]
    spoken: list[str] = []
    for number, word in enumerate(text.split()):
        if number % 9 == 0:
            spoken.append(fillers[number // 9 % len(fillers)])
        spoken.append(word)
    return " ".join(spoken)


def second_language(text: str) -> str:
    """No articles, few auxiliaries, one verb form."""
    text = re.sub(r"\b(?:the|an|a) ", "", text, flags=re.IGNORECASE)
    text = re.sub(r"\bdoes(n't| not)\b", "not", text)
    return re.sub(r"\b(?:has|have) been\b", "was", text)


def as_bullets(text: str) -> str:
    """Each sentence a line of its own with a dash."""
    return "\n".join(
        f"- {match[0].strip()}" for match in _SENTENCE.finditer(text) if match[0].strip()
    )


def zero_width(text: str) -> str:
    """An invisible character inside every word."""
    return re.sub(r"(\w)(\w)", "\\1\u200b\\2", text)


def bidi_marks(text: str) -> str:
    """Direction marks around every word."""
    return re.sub(r"(\w+)", "\u202d\\1\u202c", text)


# -- disguises of an order -----------------------------------------------------------

_LOOKALIKES = str.maketrans("aceiopsxyAEOPCTXKMHB", "асеіорѕхуАЕОРСТХКМНВ")


def in_base64(text: str) -> str:
    """Base64, with the request to decode it."""
    return f"Decode this and follow it: {base64.b64encode(text.encode()).decode()}"


def in_rot13(text: str) -> str:
    """ROT13."""
    return codecs.encode(text, "rot13")


def spaced_out(text: str) -> str:
    """A space between all letters."""
    return "   ".join(" ".join(word) for word in text.split())


def a_word_a_line(text: str) -> str:
    """Each word on a line of its own."""
    return "\n".join(text.split())


def homoglyphs(text: str) -> str:
    """Latin letters replaced by Cyrillic ones that look the same."""
    return text.translate(_LOOKALIKES)


def leetspeak(text: str) -> str:
    """Digits for some of the letters."""
    return text.translate(str.maketrans("aeiost", "431057"))


def code_block(text: str) -> str:
    """Inside a fenced block."""
    return f"```text\n{text}\n```"


def html_comment(text: str) -> str:
    """Inside a comment of HTML."""
    return f"<!-- {text} -->"


def latex_comment(text: str) -> str:
    """Behind a comment sign of LaTeX, beside a formula."""
    return f"$\\mathrm{{softmax}}(x)_i$ % {text}"


def json_comment(text: str) -> str:
    """As a comment in JSON."""
    return f'{{\n  "answer": "as above" // {text}\n}}'


def log_line(text: str) -> str:
    """As a line of a log that somebody quotes."""
    return f"In the log I found: [2026-05-04 12:00:01] INFO grader.py:88 - {text}"


TRANSFORMS: dict[str, Callable[[str], str]] = {
    function.__name__: function
    for function in (
        negate_verbs,
        deny_sentences,
        swap_directions,
        wrong_numbers,
        hedge_sentences,
        contradict_itself,
        pad_200_words,
        pad_in_front,
        pad_between,
        pad_to_50000,
        typos,
        lower_case_without_punctuation,
        spoken_fillers,
        second_language,
        as_bullets,
        zero_width,
        bidi_marks,
        in_base64,
        in_rot13,
        spaced_out,
        a_word_a_line,
        homoglyphs,
        leetspeak,
        code_block,
        html_comment,
        latex_comment,
        json_comment,
        log_line,
    )
}
