"""What an examiner's own exam came to, told beside its grades."""

from __future__ import annotations

from interviewer.grading.agreement import ExamResult


def exam_sentence(result: ExamResult | None, examiner: str) -> str:
    """How far this examiner's grades can be trusted, in a sentence; None: no exam was sat."""
    if result is None:
        return f"{examiner} has not sat the exam here: run `interviewer rubrics selftest`."
    samples = "1 sample" if result.samples == 1 else f"{result.samples} samples"
    if result.failed_on:
        return (
            f"{examiner} failed its exam on {samples} ({'; '.join(result.failed_on)}): take its "
            "grades with care."
        )
    return (
        f"{examiner} agreed with the authors at κ {result.kappa:.2f} on {samples} "
        f"(bias {signed(result.bias)})."
    )


def signed(value: float) -> str:
    """With its sign and two decimals; a value that rounds to nothing has none."""
    shown = f"{value:+.2f}".replace("-", "−")
    return "0.00" if shown[1:] == "0.00" else shown
