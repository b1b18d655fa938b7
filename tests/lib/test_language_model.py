"""The language model's tables are stored once for all processes, which map them into memory."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from py3langid.langid import LanguageIdentifier
from pytest_django import Settings

from chat.lib import language_model
from chat.lib.language_model import LanguageTables

TOLD = {"ar", "de", "en", "ja", "zh", "zxx"}
TEXTS = (
    "Wie heißt die Hauptstadt?",
    "What is the capital?",
    "フランスの首都はどこですか。",
    "ok 1",
    "\ud800",
)


@pytest.fixture
def folder(tmp_path: Path, settings: Settings) -> Path:
    settings.DATA_DIR = tmp_path
    return tmp_path / "languages"


def told(tables: LanguageTables) -> list[tuple[str, float]]:
    identifier = LanguageIdentifier(
        tables.weights,
        tables.priors,
        tables.codes,
        tables.transitions,
        tables.features,
        norm_probs=True,
        tk_row=tables.rows,
    )
    return [identifier.classify(text) for text in TEXTS]


def is_shared(tables: LanguageTables) -> bool:
    return isinstance(tables.weights, np.memmap)


def test_the_next_process_reads_what_one_has_stored(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    unpacked = told(language_model._unpacked(TOLD))
    first = language_model.load(folder, TOLD)
    monkeypatch.delattr(language_model, "_unpacked")
    second = language_model.load(folder, TOLD)
    assert is_shared(first)
    assert is_shared(second)
    assert told(first) == told(second) == unpacked


def test_tables_of_another_version_are_replaced(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = language_model.load(folder, TOLD)
    known = told(old)
    monkeypatch.setattr(language_model, "VERSION", language_model.VERSION + 1)
    assert is_shared(language_model.load(folder, TOLD))
    assert len(list(folder.iterdir())) == 1
    assert told(old) == known  # a process goes on with what it uses


def test_processes_that_store_them_at_the_same_time_share_them(folder: Path) -> None:
    unpacked = language_model._unpacked(TOLD)
    shared = language_model.load(folder, TOLD)
    (stored,) = folder.iterdir()
    language_model._store(unpacked, stored)
    assert list(folder.iterdir()) == [stored]
    assert not list(folder.parent.glob("unfinished-*"))
    assert told(language_model.load(folder, TOLD)) == told(shared)


def test_a_process_keeps_its_own_where_nothing_can_be_stored(folder: Path) -> None:
    folder.touch()
    tables = language_model.load(folder, TOLD)
    assert not is_shared(tables)
    assert told(tables)[0][0] == "de"


def cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:100])


def empty(file: Path) -> None:
    file.write_bytes(b"")


@pytest.mark.parametrize("damage", [Path.unlink, cut, empty])
def test_damaged_tables_are_stored_anew(folder: Path, damage: Callable[[Path], None]) -> None:
    known = told(language_model.load(folder, TOLD))
    for file in folder.rglob("transitions.npy"):
        damage(file)
    assert told(language_model.load(folder, TOLD)) == known
    assert is_shared(language_model.load(folder, TOLD))
