"""Pictures of every screen: ``python tests/pictures.py FOLDER [SCENE…] [--theme T] [--size WxH]``.

Each is an SVG, of which ``rsvg-convert`` makes others. Without options: all screens at 80x24,
120x36 and 200x60, dark and light.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from support.scenes import BY_NAME, SIZES, Scene  # noqa: E402

from tui import keyboard  # noqa: E402

THEMES = ("dark", "light")


async def take(scene: Scene, theme: str, size: tuple[int, int], folder: Path) -> Path:
    """One picture, in folders of its own so that none sees the sessions of another."""
    with tempfile.TemporaryDirectory() as scratch:
        for name in ("CONFIG", "DATA"):
            os.environ[f"INTERVIEWER_{name}_DIR"] = f"{scratch}/{name.lower()}"
        app = scene.app(theme)
        async with app.run_test(size=size) as pilot:
            await scene.play(pilot)
            path = folder / f"{scene.name}-{size[0]}x{size[1]}-{theme}.svg"
            path.write_text(app.export_screenshot(), encoding="utf-8")
    return path


async def main(arguments: argparse.Namespace) -> None:
    arguments.folder.mkdir(parents=True, exist_ok=True)
    keyboard.GRACE = 0.0  # nobody types here by mistake
    for name in arguments.scenes or BY_NAME:
        for theme in arguments.theme or THEMES:
            for size in arguments.size or SIZES:
                print((await take(BY_NAME[name], theme, size, arguments.folder)).name)


def _size(text: str) -> tuple[int, int]:
    columns, rows = text.split("x")
    return int(columns), int(rows)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("scenes", nargs="*", choices=[*BY_NAME, []])
    parser.add_argument("--theme", action="append")
    parser.add_argument("--size", action="append", type=_size)
    return parser.parse_args()


if __name__ == "__main__":
    os.environ.update(TZ="UTC", TEXTUAL_ANIMATIONS="none")
    with tempfile.TemporaryDirectory() as cache:
        os.environ["INTERVIEWER_CACHE_DIR"] = cache
        asyncio.run(main(_arguments()))
