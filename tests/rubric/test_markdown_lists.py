"""Question lists as people write them in Markdown: one small list for each shape."""

from __future__ import annotations

import pytest

from interviewer.rubric.markdown_lists import questions_of_markdown
from interviewer.rubric.question_lists import Question, Skipped

NUMBERED_HEADINGS = """\
# Training questions

## Table of Contents

1. [What is a warm-up?](#1-what-is-a-warm-up)
2. [Gradient clipping](#2-gradient-clipping)

## 1. What is a *warm-up*? [[src]](https://example.org/warm)

The rate starts near zero.

### Advantages

- fewer spikes
- safer moments

### Is it always needed?

Rarely for SGD.

## 2. Gradient clipping

It bounds the norm.

## 3. Why decay the rate?

[⬆ Back to Top](#table-of-contents)

## 4. How is the batch chosen?

By its noise.

## Preparation Resources

- A good book

## Contributions

Pull requests are welcome.
"""
BOLD_BULLETS = """\
# Contents
- [Optimisers](#optimisers)

## Optimisers
- **What does Adam divide by?**
- **Why is AdamW not Adam with L2?**
  - The decay isn't scaled.
  - It acts on the weights alone.
- **Momentum**

## Data
- **Where do duplicates come from?**
"""
PLAIN_BULLETS = """\
## Attention
* Why is the logit scaled?
* Compare MHA with GQA.
* Slides of the course
"""
BOLD_LINES = """\
**1. What does a larger batch cost?**

Fewer updates:
- for the same tokens
- with the same rate

**2. When does it pay?**
While the noise is high. **Always** measure it.
"""
LABELLED = """\
Some notes.

**Q1:** What is a spike?
**A:** The loss jumps.

Q2. Who sees it first?
Answer: The gradient norm.

Question 3: And then?
A: Skip the batch.
"""
DETAILS = """\
<details>
<summary><b>1. What is sharded in ZeRO-1?</b></summary>
<p>

The optimizer&nbsp;states.<br>Nothing else.

```python
# What is this?
shard(states)
```
</p>
</details>

Advertisement.

<details><summary>Why not the weights?</summary>

$g = \\\\nabla L$ needs [them](https://example.org).
</details>
"""
TABLE = """\
| # | Question | Answer | Difficulty |
|---|:---------|--------|------------|
| 1 | What is `fp8`? | Eight bits.<br>Two formats. | easy |
| 2 | Why **scale**? | Small range \\| few bits | hard |
"""
FAQ = """\
# FAQ

Read this first.

### Does it need a GPU?

No. <img src="a.png"> A CPU will do.

### Pricing

It is free.

### Which models are there?
"""
SAID_ON_THE_LINE = """\
- Is a warm-up needed? Yes, for Adam.
- Why? Explain with a number.
- If you like this list, tell others.
- Do larger models need it? (hard)\u200d\u2b50
"""
BOLD_NUMBERS = """\
**1)** The number of shards. Per rank.

```sql
-- **2)** What?
SELECT 1
```

**2) Memory.** The bytes of a copy.
"""
MIXED = """\
| Question | Level |
|----------|-------|
| Why scale the loss? | easy |

1. What is a token?
2. Why pack documents?
"""
FOLDED = """\
###### 1. What does it print?

```python
print(2 ** -1)
```

- A: `0`
- B: `0.5`

<details><summary><b>Answer</b></summary>
<p>

#### Answer: B

A negative power is a fraction.
</p>
</details>

---

###### 2. What does it print?

```python
print(2 // 4)
```

<details><summary>Show the answer</summary>

Zero.

</details>
"""
ASKED_ON = """\
<details>
<summary>What do these do?

  * cd
  * ls</summary><br>

  * cd: goes home
</details>

<details><summary>Name a shell</summary>

Bash.
</details>

<details><summary>Which shell is yours?</summary></details>
<details><summary>Why that one?</summary></details>
<details><summary>How long have you used it?</summary></details>
"""
IN_TWO_PARTS = """\
# NLP

### What is a token? - Ada, Babbage Interview Question

**Difficulty:** Easy | **Tags:** `text`

??? success "View Answer"

    ## In short

    A piece of text.

    !!! tip "For you"
        Say how many.

### How to use BPE?

**Answer:** By merging pairs.

### Explain WordPiece.

By likelihood.

## Asked elsewhere

1. Why not characters?
2. Why not words?
3. Code a tokenizer.
4. When do bytes pay?

Ada / Babbage:

1. Who needs them?
2.

**Q: Design a search engine.**

## How to contribute

- Why not open an issue?
- What about a fork?
- Who reviews it?
"""
OF_CONTENTS = """\
| No. | Questions |
| --- | --- |
| | **Basics** |
| 1 | [What is a token?](#what-is-a-token) |

1. ### What is a token?

    A piece of text.

2. ### How to use tokens?

    | Token | Question |
    | --- | --- |
    | a | Is it rare? |
"""
ADMONITIONS = """\
??? tip "Tokens"

    ??? question "What is a token?"

        A piece of text.

        ```python
        # not a heading
        ```

    ??? question "Who needs it?"
        The model.
"""
NUMBERED_ITEMS = """\
## Basics
1. What is a token?

   A piece of text.

2) Explain BPE.
3. Read the paper
"""


def read(text: str) -> tuple[list[tuple[str, str]], list[str]]:
    items = list(questions_of_markdown(text))
    asked = [(item.question, item.answer) for item in items if isinstance(item, Question)]
    return asked, [item.why for item in items if isinstance(item, Skipped)]


def test_numbered_headings_keep_what_is_below_them_and_lose_what_is_around() -> None:
    asked, left_out = read(NUMBERED_HEADINGS)
    assert [question for question, _ in asked] == [
        "What is a warm-up?",
        "Gradient clipping",
        "Why decay the rate?",
        "How is the batch chosen?",
    ]
    answer = asked[0][1]
    assert answer.startswith("The rate starts near zero.\n\nAdvantages\n\n- fewer spikes")
    assert answer.endswith("Is it always needed?\n\nRarely for SGD.")
    assert (asked[2][1], asked[3][1]) == ("", "By its noise.")
    assert [why for why in left_out if "Contents" not in why] == [
        "asks nothing (Preparation Resources)",
        "asks nothing (Contributions)",
    ]


def test_bold_bullets_ask_with_or_without_an_answer_below() -> None:
    asked, left_out = read(BOLD_BULLETS)
    assert asked == [
        ("What does Adam divide by?", ""),
        (
            "Why is AdamW not Adam with L2?",
            "- The decay isn't scaled.\n- It acts on the weights alone.",
        ),
        ("Where do duplicates come from?", ""),
    ]
    assert "asks nothing (Momentum)" in left_out


@pytest.mark.parametrize(
    ("text", "asked", "left_out"),
    [
        (
            PLAIN_BULLETS,
            [("Why is the logit scaled?", ""), ("Compare MHA with GQA.", "")],
            ["asks nothing (Slides of the course)"],
        ),
        (
            BOLD_LINES,
            [
                (
                    "What does a larger batch cost?",
                    "Fewer updates:\n- for the same tokens\n- with the same rate",
                ),
                ("When does it pay?", "While the noise is high. Always measure it."),
            ],
            [],
        ),
        (
            LABELLED,
            [
                ("What is a spike?", "The loss jumps."),
                ("Who sees it first?", "The gradient norm."),
                ("And then?", "Skip the batch."),
            ],
            [],
        ),
        (
            DETAILS,
            [
                (
                    "What is sharded in ZeRO-1?",
                    "The optimizer\xa0states.\nNothing else.\n\n"
                    "```python\n# What is this?\nshard(states)\n```",
                ),
                ("Why not the weights?", "$g = \\\\nabla L$ needs them."),
            ],
            [],
        ),
        (
            FAQ,
            [
                ("Does it need a GPU?", "No.  A CPU will do."),
                ("Which models are there?", ""),
            ],
            ["asks nothing (Pricing)"],
        ),
        (
            SAID_ON_THE_LINE,
            [
                ("Is a warm-up needed?", "Yes, for Adam."),
                ("Why? Explain with a number.", ""),
                ("Do larger models need it? (hard)", ""),
            ],
            ["asks nothing (If you like this list, tell others.)"],
        ),
        (
            BOLD_NUMBERS,
            [
                (
                    "The number of shards. Per rank.",
                    "```sql\n-- **2)** What?\nSELECT 1\n```",
                ),
                ("Memory. The bytes of a copy.", ""),
            ],
            [],
        ),
        (
            MIXED,
            [
                ("Why scale the loss?", ""),
                ("What is a token?", ""),
                ("Why pack documents?", ""),
            ],
            [],
        ),
        (
            NUMBERED_ITEMS,
            [("What is a token?", "A piece of text."), ("Explain BPE.", "")],
            ["asks nothing (Read the paper)"],
        ),
    ],
)
def test_each_shape_is_known_by_what_asks_in_it(
    text: str, asked: list[tuple[str, str]], left_out: list[str]
) -> None:
    assert read(text) == (asked, left_out)


def test_a_table_is_read_by_its_columns() -> None:
    assert list(questions_of_markdown(TABLE)) == [
        Question(3, "What is `fp8`?", "Eight bits.\nTwo formats.", difficulty="easy"),
        Question(4, "Why scale?", "Small range | few bits", difficulty="hard"),
    ]


def test_a_letter_may_label_the_answer_but_not_an_option() -> None:
    text = "Q. Why?\nA. Noise at first.\n\nQ. Which?\nA. Adam\nB. SGD\n"
    found = list(questions_of_markdown(text))
    assert found == [
        Question(1, "Why?", "Noise at first."),
        Question(4, "Which?", "A. Adam\nB. SGD"),
    ]


def test_a_label_of_the_answer_stands_at_its_beginning() -> None:
    for answer in ("Young's formula: the interval.", "The answer: no.", "See plan A. Then B."):
        assert list(questions_of_markdown(f"## Why?\n{answer}\n")) == [Question(1, "Why?", answer)]


def test_lines_count_from_one() -> None:
    items = list(questions_of_markdown(BOLD_BULLETS))
    assert [item.line for item in items if isinstance(item, Question)] == [5, 6, 12]


def found_in(text: str) -> list[Question]:
    return [each for each in questions_of_markdown(text) if isinstance(each, Question)]


def test_what_stands_before_a_folded_answer_belongs_to_the_question() -> None:
    first, second = found_in(FOLDED)
    assert first.question == second.question == "What does it print?"
    assert first.shown == "print(2 ** -1)\n\n- A: `0`\n- B: `0.5`"
    assert (second.shown, second.answer) == ("print(2 // 4)", "Zero.")
    assert first.answer.endswith("A negative power is a fraction.")
    labelled = FOLDED.replace("<details><summary><b>Answer</b></summary>", "**Answer:**")
    assert found_in(labelled)[0].shown == first.shown


def test_a_summary_may_go_on_and_ask_without_a_question_mark() -> None:
    first, second, *_ = found_in(ASKED_ON)
    assert (first.question, first.shown) == ("What do these do?", "* cd\n* ls")
    assert first.answer == "* cd: goes home"
    assert (second.question, second.answer) == ("Name a shell", "Bash.")
    assert read("<details><summary>Links</summary></details>\n- Why?\n")[0] == [("Why?", "")]


def test_a_list_in_two_parts_is_read_in_both() -> None:
    assert [(each.question, each.answer) for each in found_in(IN_TWO_PARTS)] == [
        ("What is a token?", "In short\n\nA piece of text.\n\n    Say how many."),
        ("How to use BPE?", "By merging pairs."),
        ("Explain WordPiece.", "By likelihood."),
        ("Why not characters?", ""),
        ("Why not words?", ""),
        ("Code a tokenizer.", ""),
        ("When do bytes pay?", ""),
        ("Who needs them?", ""),
        ("Design a search engine.", ""),
    ]


def test_a_table_of_contents_asks_nothing() -> None:
    assert [(each.line, each.question) for each in found_in(OF_CONTENTS)] == [
        (6, "What is a token?"),
        (10, "How to use tokens?"),
        (14, "Is it rare?"),
    ]


def test_admonitions_ask_like_details() -> None:
    assert [(each.question, each.answer) for each in found_in(ADMONITIONS)] == [
        ("What is a token?", "A piece of text.\n\n```python\n# not a heading\n```"),
        ("Who needs it?", "The model."),
    ]


TITLED = """\
# Patterns

### Singletons

They are known to all.<br/>
Why are they called a pitfall?
[More](more.md)

### Inversion of control

Tell me about it.

### Globals

When do they hurt?

### Licence

Take it.
"""
FOLLOWED_UP = """\
* Why mask the future?
  * Where does the mask go?
  * What if it came later?
* Why scale the logits?
  * Their variance grows.
* Why log the norm?
  - **A:** What else tells spikes apart?
"""
STEPS_IN_ANSWERS = """\
### Q1: What is fine-tuning?

**1. Of all weights:**
- costs most

**2. Of adapters**

**Why it matters:**

It is cheap.

### Q2: Who needs it?

**1. Users:**
**2. Labs:**
"""


def test_a_title_may_have_its_question_below() -> None:
    assert [(each.line, each.question) for each in found_in(TITLED)] == [
        (3, "They are known to all. Why are they called a pitfall?"),
        (9, "Tell me about it."),
        (13, "When do they hurt?"),
    ]


def test_questions_below_a_question_are_asked_with_it() -> None:
    assert [(each.question, each.answer) for each in found_in(FOLLOWED_UP)] == [
        ("Why mask the future? Where does the mask go? What if it came later?", ""),
        ("Why scale the logits?", "* Their variance grows."),
        ("Why log the norm?", "What else tells spikes apart?"),
    ]


def test_a_task_may_follow_a_scene() -> None:
    scene = "# A run of 64 GPUs hangs. Name your first check.\n\n# Talk about your last run.\n"
    assert [each.line for each in found_in(f"# Where are the answers?\n\n{scene}")] == [3, 5]


def test_numbered_steps_and_labels_of_an_answer_ask_nothing() -> None:
    assert [each.question for each in found_in(STEPS_IN_ANSWERS)] == [
        "What is fine-tuning?",
        "Who needs it?",
    ]


SECTIONS = """\
# A list

## Attention

### Why scale the logits?

Their variance grows.

#### Details

As the width does.

### What is a head?

A slice of the width.

## Data

### How do you find duplicates?

By hashing.
"""


def test_each_question_knows_the_heading_above_it_that_asks_nothing() -> None:
    found = [each for each in questions_of_markdown(SECTIONS) if isinstance(each, Question)]
    assert [each.section for each in found] == ["Attention", "Attention", "Data"]
    bullets = "# Attention\n\n- Why scale the logits?\n\n# Data\n\n- What is MinHash?\n"
    found = [each for each in questions_of_markdown(bullets) if isinstance(each, Question)]
    assert [each.section for each in found] == ["Attention", "Data"]
    (alone,) = (each for each in questions_of_markdown("# A list\n\n- What is MFU?\n"))
    assert isinstance(alone, Question)
    assert alone.section == ""


IN_PARTS = """\
# Sampling

1. [E] What is stratified sampling?
2. [Hard] Provide an example of leakage.
3. Duplicates.
    1. [M] When do you remove them?
    1. [M] What happens if you don't?

    **Hint**: think of the test set.
4. [M] Suppose you label a tenth of your data.
    1. How do you choose it?
    1. How do you check them?

    **Hint**: labellers disagree.
5. Further reading
    - A book on surveys
"""
HTML_HEADINGS = """\
**<h2>TRAINING</h2>**

<h3>1. What is a warm-up?</h3>

The rate starts near zero.

1. Fewer spikes.
2. Safer moments.

<h3>2. Gradient clipping: </h3>

It bounds the norm.

<h3>3. Why decay the rate?</h3>

It settles.

<h3>4. How is the batch chosen?
"""


def asked(text: str) -> list[str]:
    return [each.question for each in questions_of_markdown(text) if isinstance(each, Question)]


def test_a_title_s_parts_are_questions_and_a_level_is_none_of_their_words() -> None:
    assert asked(IN_PARTS) == [
        "What is stratified sampling?",
        "Provide an example of leakage.",
        "When do you remove them?",
        "What happens if you don't?",
        "Suppose you label a tenth of your data. How do you choose it? How do you check them?",
    ]


def test_headings_may_be_html() -> None:
    assert asked(HTML_HEADINGS) == [
        "What is a warm-up?",
        "Gradient clipping:",
        "Why decay the rate?",
        "How is the batch chosen?",
    ]
    first, *_ = (
        each for each in questions_of_markdown(HTML_HEADINGS) if isinstance(each, Question)
    )
    assert first.answer == "The rate starts near zero.\n\n1. Fewer spikes.\n2. Safer moments."
