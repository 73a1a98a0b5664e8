"""A session's transcript as one web page that needs nothing else."""

from __future__ import annotations

from html import escape

from markdown_it import MarkdownIt

from interviewer.interview.debrief import Debrief
from interviewer.interview.journal import Replay
from interviewer.report.markdown import transcript_markdown
from interviewer.report.plain import printable

_STYLE = """
:root { color-scheme: light dark; }
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; }
blockquote { margin-left: 0; padding-left: 1rem; border-left: 0.2rem solid; }
pre { white-space: pre-wrap; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { padding: 0.3rem 0.6rem; border: 1px solid; text-align: left; vertical-align: top; }
"""


def transcript_page(replay: Replay, debrief: Debrief) -> str:
    """What :func:`transcript_markdown` tells, as HTML.

    Nothing that anyone said becomes markup, and the page may load or run nothing.
    """
    text = transcript_markdown(replay, debrief)
    body = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta http-equiv="Content-Security-Policy" '
        "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>{escape(printable(debrief.plan_title))}</title>\n"
        f"<style>{_STYLE}</style>\n</head>\n<body>\n{body}</body>\n</html>\n"
    )
