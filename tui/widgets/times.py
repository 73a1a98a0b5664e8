"""Moments and durations in words."""

from __future__ import annotations

from datetime import datetime


def ago(then: datetime, now: datetime) -> str:
    """How long ago, in one unit; a date where that says more. Both are aware times."""
    seconds = max(0, int((now - then).total_seconds()))
    if seconds < 60:
        return "just now"
    for below, unit, word in ((3600, 60, "min"), (86400, 3600, "h"), (14 * 86400, 86400, "days")):
        if seconds < below:
            count = seconds // unit
            return f"{count} {'day' if word == 'days' and count == 1 else word} ago"
    return f"on {local_date(then)}"


def local_date(moment: datetime) -> str:
    return moment.astimezone().strftime("%Y-%m-%d")


def local_minute(moment: datetime) -> str:
    return moment.astimezone().strftime("%Y-%m-%d %H:%M")


def local_time(moment: datetime) -> str:
    return moment.astimezone().strftime("%H:%M:%S")


def clock_face(seconds: float) -> str:
    """Minutes and seconds, as 41:20; a begun second counts."""
    whole = -int(-seconds // 1)
    return f"{whole // 60:02}:{whole % 60:02}"
