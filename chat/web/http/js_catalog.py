"""Provide translations for scripts in the page's language: see static/js/lib/i18n.js."""

import json
from functools import cache
from typing import Any

from django.conf import settings
from django.utils.translation import get_language, to_locale

from chat.lib.release_files import read_at_start


def catalog() -> dict[str, Any]:
    """Return the active language's catalogue; empty for English and for languages not compiled."""
    return _read(get_language() or "en")


@cache
def _read(language: str) -> dict[str, Any]:
    path = settings.LOCALE_PATHS[0] / to_locale(language) / "words.json"
    if not path.exists():
        return {}
    texts: dict[str, Any] = json.loads(path.read_text())
    return texts


@read_at_start
def _read_all() -> None:
    for language, _name in settings.LANGUAGES:
        _read(language)
