"""A package index on this machine, with packages made for the test, that real pip installs from."""

from __future__ import annotations

import threading
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


class PackageIndex:
    """A folder served in the layout of PEP 503; ``requested`` are the paths asked for so far."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.requested: list[str] = []
        self.url = ""

    def add(
        self, name: str, version: str, files: dict[str, str], *, requires: Sequence[str] = ()
    ) -> None:
        """Offer a wheel with these files; ``name`` is the package's and needs no normalising."""
        place = self.folder / name
        place.mkdir(parents=True, exist_ok=True)
        wheel = place / f"{name.replace('-', '_')}-{version}-py3-none-any.whl"
        info = f"{name.replace('-', '_')}-{version}.dist-info"
        needs = "".join(f"Requires-Dist: {each}\n" for each in requires)
        with zipfile.ZipFile(wheel, "w") as archive:
            for path, text in files.items():
                archive.writestr(path, text)
            archive.writestr(
                f"{info}/METADATA",
                f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{needs}",
            )
            archive.writestr(
                f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
            )
            archive.writestr(f"{info}/RECORD", "")
        links = (f'<a href="{each.name}">{each.name}</a>' for each in sorted(place.glob("*.whl")))
        (place / "index.html").write_text("<!DOCTYPE html>\n" + "\n".join(links))

    def downloaded(self) -> set[str]:
        return {path.split("/")[1] for path in self.requested if path.endswith(".whl")}


@contextmanager
def package_index(folder: Path) -> Iterator[PackageIndex]:
    folder.mkdir(parents=True)
    index = PackageIndex(folder)

    class Handler(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            index.requested.append(self.path)

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=folder))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    index.url = f"http://127.0.0.1:{server.server_port}/"
    try:
        yield index
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
