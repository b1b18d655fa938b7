"""A start that a full disk or a kill has ended leaves no half of a static file to be served."""

import errno
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.files.base import File
from pytest_django import Settings

from project.serving import preparation

STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "project.static_storage.StaticStorage"},
}
SCRIPT, SHEET = "let tide = 'high';\n" * 10_000, "a { color: teal }\n" * 10_000


@pytest.fixture
def root(tmp_path: Path, settings: Settings) -> Path:
    """Return the folder of the static files of a script and a style sheet."""
    source, root = tmp_path / "source", tmp_path / "static"
    source.mkdir()
    (source / "tide.js").write_text(SCRIPT)
    (source / "tide.css").write_text(SHEET)
    settings.STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
    settings.STATICFILES_DIRS, settings.STATIC_ROOT = [source], root
    settings.STORAGES = STORAGES
    return root


def contents(root: Path) -> dict[str, str]:
    return {
        each.name: each.read_text() for each in root.iterdir() if each.suffix in {".js", ".css"}
    }


@pytest.mark.parametrize("full_at", [1, 2, 3, 4])
def test_a_file_that_a_full_disk_has_torn_is_collected_again(
    full_at: int, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written, whole = 0, File.chunks

    def chunks(self: File, chunk_size: int | None = None) -> Iterator[bytes]:
        nonlocal written
        written += 1
        text = b"".join(whole(self, chunk_size))
        yield text[:1000]
        if written == full_at:
            raise OSError(errno.ENOSPC, "No space left on device")
        yield text[1000:]

    with monkeypatch.context() as full:
        full.setattr(File, "chunks", chunks)
        with pytest.raises(OSError, match="No space left"):
            preparation._collect_static_files()
    assert preparation._collect_static_files()
    found = contents(root)
    assert len(found) == 4
    assert {text for name, text in found.items() if name.endswith(".js")} == {SCRIPT}
    assert {text for name, text in found.items() if name.endswith(".css")} == {SHEET}


def test_what_a_killed_process_has_left_is_removed(root: Path) -> None:
    root.mkdir()
    left = root / "tide.js.0b6e4f.unfinished"
    left.write_text("let ti")
    assert preparation._collect_static_files()
    assert not left.exists()
