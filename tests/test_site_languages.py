"""A language is added by its folder of catalogues alone."""

from pathlib import Path

import pytest
from django.conf import settings

from project import site_languages
from project.site_languages import translated, with_native_names


def test_the_sites_languages_are_english_and_the_translated_ones() -> None:
    assert with_native_names() == settings.LANGUAGES
    codes = {code for code, _ in settings.LANGUAGES}
    assert codes == {"en", *translated()}


def test_a_folder_adds_its_language_with_its_native_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("it", "de", "pt_BR", "xx"):
        (tmp_path / name / "LC_MESSAGES").mkdir(parents=True)
    (tmp_path / "README").touch()
    monkeypatch.setattr(site_languages, "FOLDER", tmp_path)
    assert translated() == ["de", "it", "pt_BR", "xx"]
    assert with_native_names() == [
        ("en", "English"),
        ("de", "Deutsch"),
        ("it", "Italiano"),
        ("pt-br", "Português Brasileiro"),
        ("xx", "Xx"),
    ]
