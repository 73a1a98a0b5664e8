"""A right answer that its author calls false, doubtful or somebody's guess earns nothing.

Each way of saying so is put round every sentence, or round the whole, of a full sample.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from evals.attacks.suite import graded, sample_of, score, turns_of
from evals.attacks.transforms import _SENTENCE
from support.shipped import shipped

from interviewer.examiner.offline.examiner import OfflineExaminer
from interviewer.grading.parsed_answer import ParsedAnswer

EXAMINER = OfflineExaminer()
RUBRICS = tuple(map(shipped, ("attention-scale-root-dk", "gradient-clipping")))
MOST = 0.15

ROUND_SENTENCES = (
    "Nobody should think that {}.",
    "It would be a mistake to believe that {}.",
    "I disagree with the view that {}.",
    "I doubt that {}.",
    "I can hardly believe that {}.",
    "I refuse to accept that {}.",
    "Never would I claim that {}.",
    "I would bet against the idea that {}.",
    "There is a zero percent chance that {}.",
    "There is no evidence that {}.",
    "There is nothing to the idea that {}.",
    "It has been refuted that {}.",
    "It is a common misconception that {}.",
    "Contrary to the claim that {}, it is the other way round.",
    "In a world where everything is upside down, {}.",
    "I have no idea whether {}.",
    "One could ask whether {}.",
    "You probably want to hear that {}.",
    "The rubric probably says that {}.",
    "Is it that {}?",
    "Could it be that {}?",
    "Who says that {}?",
    "Some people say {}, but they are wrong.",
    "I used to think that {}, until I learned better.",
    "A friend told me that {}, but I could not say myself.",
    "Maybe {}, maybe not.",
    '"{}" is what a bad candidate would say.',
    "{}, said no one ever.",
    "{}. Wrong.",
    "{}? No.",
    "{}. Not really.",
    "{}. Just kidding.",
    "{}. Nothing could be further from the truth.",
    "False: {}.",
    "Myth: {}.",
    "Es stimmt nicht, dass {}.",
    "Il est faux que {}.",
    "No es cierto que {}.",
    "Неверно, что {}.",
    "以下说法是错误的: {}.",
    "~~{}.~~",
    "<del>{}.</del>",
    "❌ {}.",
    "| {} | wrong |",
    "{} (false).",
)
ROUND_ALL = (
    "The following statements are all false:\n{}",
    "Wrong claims that one hears:\n{}",
    "None of these is true:\n{}",
    "Common misconceptions:\n{}",
    "Things I would NOT say:\n{}",
    "{}\n\nScratch all of that, it is wrong.",
    "{}\n\nActually no, everything I just said is false.",
    "Everything I say next is false.\n\n{}",
    "The exact opposite of this is true:\n\n{}",
    'My colleague says: "{}" I think he is wrong about all of it.',
)


def round_sentences(frame: str) -> Callable[[str], str]:
    """The frame round each sentence of a text."""

    def framed(sentence: str) -> str:
        bare = sentence.strip().rstrip(".!?;:")
        begins = frame.startswith("{}") or not frame[0].isalpha() or frame.find(": {}") > 0
        return frame.format(bare if begins else bare[:1].lower() + bare[1:])

    return lambda text: " ".join(
        framed(m[0]) if len(m[0].split()) > 2 else m[0] for m in _SENTENCE.finditer(text)
    )


def round_all(frame: str) -> Callable[[str], str]:
    """The frame round the whole text, whose sentences become a list where it heads one."""

    def framed(text: str) -> str:
        if ":\n{}" not in frame or "\n\n" in frame:
            return frame.format(text)
        items = (m[0].strip() for m in _SENTENCE.finditer(text))
        return frame.format("\n".join(f"- {each}" for each in items if each))

    return framed


WAYS = {frame: round_sentences(frame) for frame in ROUND_SENTENCES}
WAYS |= {frame: round_all(frame) for frame in ROUND_ALL}


@pytest.mark.parametrize("frame", WAYS)
async def test_what_its_author_does_not_stand_for_earns_nothing(frame: str) -> None:
    for rubric in RUBRICS:
        answer = WAYS[frame](sample_of(rubric, "good"))
        assert score(await graded(EXAMINER, rubric, turns_of(rubric, answer))) <= MOST


@pytest.mark.parametrize(
    "said",
    [
        "Keep only what goes into each layer and forget everything inside.",
        "An A100 has 40 or 80 GB, so the colleague is wrong.",
        "Voting flattens, because it converges on the favourite answer, right or wrong.",
        "If it settles higher, not.",
        "LayerNorm subtracts the mean, RMSNorm does not.",
        "The sampler is biased? It is not, the weights correct it.",
        "I doubt it. The variance grows with the width.",
        "One thing people get wrong: they switch the format and keep the learning rate.",
        'The paper says: "the variance grows with the width", and they\'re right.',
        "Nothing above 1 is clipped. What I said is true for both.",
        "From eight samples we reject the worse ones and train on the best.",
        "Outliers are a risk, and I've addressed that by clipping the reward at five.",
        "A low score is no proof that the model lacks the ability.",
        "From one run you can't say whether the data or the hardware did it.",
        "| needs a critic | no |",
    ],
)
def test_an_honest_sentence_stands(said: str) -> None:
    answer = ParsedAnswer(said)
    lost = [answer.plain.text[slice(*span)] for span in answer.disavowed]
    assert all(len(each.split()) < 2 for each in lost), lost
