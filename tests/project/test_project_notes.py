"""Taking in notes: a file, or the text itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from interviewer.errors import SettingsError
from interviewer.project import LARGEST_NOTES, read_notes

TEXT = "I tuned a 7B model with LoRA on two GPUs for a week."


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("name", ["notes", "my project.txt"])
def test_a_path_is_read(tmp_path: Path, name: str, mark: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(mark + TEXT.encode())
    assert read_notes(f"  {path}\n") == TEXT


def test_a_description_is_taken_as_it_is() -> None:
    assert read_notes(f" {TEXT} ") == TEXT
    long = f"{TEXT} " * 200
    assert read_notes(long) == long.strip()


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        (b"caf\xe9 " * 20, "is not UTF-8 text"),
        (b"word " * LARGEST_NOTES, "is larger than 64 KB"),
        (b"Too short.", "have fewer than 8 words; write what you built"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_in_one_sentence(
    tmp_path: Path, data: bytes, complaint: str
) -> None:
    path = tmp_path / "notes.md"
    path.write_bytes(data)
    with pytest.raises(SettingsError, match=complaint):
        read_notes(str(path))


def test_a_missing_file_and_a_folder_are_told_apart_from_a_description(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"nowhere\.md cannot be read \(No such file"):
        read_notes("nowhere.md")
    with pytest.raises(SettingsError, match="is a folder"):
        read_notes(str(tmp_path))
