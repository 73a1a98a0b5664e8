"""Figures small enough to read off by hand."""

from __future__ import annotations

from interviewer.rubric.figure import Figure

CURVES = Figure.model_validate(
    {
        "caption": "A small run, made up",
        "plot": {
            "x_label": "step",
            "x": [0, 100, 200, 300],
            "series": [
                {"name": "train", "y_label": "loss", "values": [3.5, 2.5, 2.25, 2]},
                {"name": "held-out", "y_label": "loss", "values": [3.6, 2.7, 2.5, 2.75]},
                {"name": "gradient norm", "log": True, "values": [1, 0.1, 10, 1000]},
            ],
        },
    }
)
LISTING = Figure.model_validate(
    {
        "caption": "One step, made up",
        "code": "for batch in loader:\n    loss = model(batch)[0]  # [bold red]shout[/]\n",
    }
)
PASSAGE = Figure.model_validate(
    {"caption": "A method, made up", "text": "We train twice.\n\n  lr | loss\n  1  | 2.5\n"}
)
