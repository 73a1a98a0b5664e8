"""The keys of a grade as JSON, which people's scripts read."""

GRADE = {
    *("band", "first", "unassisted", "final", "interval", "between_bands", "cap", "examiner"),
    *("examiner_kind", "flags", "reasons", "verdicts"),
}
POINT = {
    *("criterion", "claim", "weight", "must_have", "extra", "further", "earned", "own"),
    "examiner_kind",
}
VERDICT = {
    *("verdict", "evidence", "turn", "span", "source", "missing", "unsupported", "votes"),
    *("quotes", "doubt", "ungraded", "reason"),
}
