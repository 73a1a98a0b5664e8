"""Looking more than once where once is not enough: on what to vote, and what the votes come to.

Three looks at the criteria that are in doubt raise agreement with people; three looks at all of
them mostly raise the cost.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from interviewer.examiner.protocol import Case
from interviewer.grading.evidence import check
from interviewer.grading.verdicts import CriterionVerdict, Finding
from interviewer.rubric.rubric import Verdict

_NO_CREDIT = (Verdict.NOT_MET, Verdict.CONTRADICTED)
_NUMBERS = ("No", "One", "Two", "Three", "Four", "Five")
MOST_LOOKS = len(_NUMBERS) - 1


def refused(
    findings: Iterable[Finding], checked: Iterable[CriterionVerdict]
) -> dict[str, CriterionVerdict]:
    """The checked verdicts that lost all credit since the quote does not carry it."""
    said = {finding.criterion: finding.verdict for finding in findings}
    return {
        each.criterion: each
        for each in checked
        if each.verdict is Verdict.NOT_MET and said[each.criterion] is not Verdict.NOT_MET
    }


def disagreed(findings: Iterable[Finding], others: Mapping[str, Finding]) -> set[str]:
    """The criteria that one side finds met and the other does not see made at all."""
    return {
        mine.criterion
        for mine in findings
        if (theirs := others.get(mine.criterion))
        if (mine.verdict is Verdict.MET and theirs.verdict in _NO_CREDIT)
        or (theirs.verdict is Verdict.MET and mine.verdict in _NO_CREDIT)
    }


def votes_before(case: Case, checked: Iterable[CriterionVerdict]) -> dict[str, tuple[Verdict, ...]]:
    """The votes on criteria that were voted on after an earlier answer, with the same outcome."""
    standing = {verdict.criterion: verdict for verdict in case.verdicts if verdict.votes}
    return {
        each.criterion: standing[each.criterion].votes
        for each in checked
        if each.criterion in standing and standing[each.criterion].verdict is each.verdict
    }


def majority(case: Case, looks: Sequence[Finding]) -> Finding | None:
    """The verdict of more than half of the looks, first look first; None where there is none.

    It comes from the first look that gave it with a quote that stands, else from the first that
    gave it.
    """
    votes = tuple(look.verdict for look in looks)
    winner, count = Counter(votes).most_common(1)[0]
    if 2 * count <= len(votes):
        return None
    winning = [look for look in looks if look.verdict is winner]
    grounded = [
        look for look in winning if not refused([look], check(case.rubric, case.turns, [look]))
    ]
    return replace((grounded or winning)[0], votes=votes)


def no_majority(looks: Sequence[Finding]) -> str:
    """The sentence for a criterion on which the looks do not come to a verdict."""
    verdicts = [look.verdict for look in looks]
    kinds = _NUMBERS[len(set(verdicts))].lower()
    return f"{_NUMBERS[len(verdicts)]} looks gave {kinds} verdicts: {', '.join(verdicts)}."
