"""The exams that examiners have taken on this machine."""

from __future__ import annotations

from sqlalchemy import insert, select

from interviewer.grading.agreement import ExamResult
from interviewer.store import tables
from interviewer.store.database import Database
from interviewer.store.records import ExamRecord


class Exams:
    """Exams by examiner and version; none is ever replaced.

    All methods raise StoreError where the database cannot be used.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def save(self, exam: ExamRecord) -> None:
        """Keep an exam."""
        values = vars(exam.result) | {
            "rubrics_sha256": exam.rubrics_sha256,
            "report": exam.report,
        }
        with self._database.write() as connection:
            connection.execute(insert(tables.Exam).values(values))

    def latest(self, examiner: str, version: str) -> ExamRecord | None:
        """The last exam of this examiner in this version, None where it took none."""
        exam = tables.Exam
        statement = (
            select(*_RESULT, exam.rubrics_sha256, exam.report)
            .where(exam.examiner == examiner, exam.version == version)
            .order_by(*_NEWEST_FIRST)
            .limit(1)
        )
        with self._database.read() as connection:
            row = connection.execute(statement).first()
        return ExamRecord(ExamResult(*row[:-2]), *row[-2:]) if row else None

    def results(self) -> list[ExamResult]:
        """The results of all exams, the latest first."""
        with self._database.read() as connection:
            rows = connection.execute(select(*_RESULT).order_by(*_NEWEST_FIRST))
            return [ExamResult(*row) for row in rows]


_RESULT = tables.columns(tables.Exam, ExamResult)
_NEWEST_FIRST = (tables.Exam.taken_at.desc(), tables.Exam.id.desc())
