"""Update translation catalogues from the sources, and compile them for the server.

    python -m project.translations update    after texts in the sources have changed
    python -m project.translations compile   before the server starts; fast if nothing changed

Django's own commands would require GNU gettext. Compiled files are not committed: a `django.mo` for
Python and templates, a `words.json` for scripts (see static/js/lib/i18n.js).
"""

import json
import re
import sys
from ast import literal_eval
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.utils.translation.template import templatize

from project.site_languages import FOLDER, translated

ROOT = Path(__file__).resolve().parent.parent
#: Errors inside streams are in English; the page looks up their translation.
ERRORS = {"chat/errors.py", "chat/quotas/ended_answers.py"}

#: Constant, because a date that changes with every update has no meaning.
DATE = datetime(2026, 11, 21, tzinfo=UTC)
HEADER: dict[str, Any] = {
    "header_comment": "# How this is made: docs/translating.md",
    "project": "Runnel",
    "version": "1",
    "msgid_bugs_address": "see SECURITY.md and CONTRIBUTING.md",
    "creation_date": DATE,
    "revision_date": DATE,
    "last_translator": "Runnel",
    "language_team": "Runnel",
    "fuzzy": False,
}

STRING = r"""('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")"""
IN_TEMPLATE = re.compile(rf"\b(?:gettext|ngettext|_)\(\s*u?{STRING}(?:, u?{STRING})?")
PYTHON_KEYWORDS: dict[str, Any] = {
    "_": None,
    "gettext": None,
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext": (1, 2),
}
SCRIPT_KEYWORDS: dict[str, Any] = {"t": None, "plural": (2, 3)}


def from_template(file: Any, *_: Any, **options: Any) -> Iterator[tuple[int, str, Any, list[str]]]:
    """Extract texts from Django templates, as a Babel extraction method."""
    source = file.read().decode()
    for number, line in enumerate(templatize(source).splitlines(), start=1):
        for one, other in IN_TEMPLATE.findall(line):
            if other:
                yield number, "ngettext", (literal_eval(one), literal_eval(other)), []
            else:
                yield number, "gettext", literal_eval(one), []


#: For each domain: folders, file patterns, and the functions that mark texts.
SOURCES: dict[str, tuple[tuple[str, ...], list[tuple[str, Any]], dict[str, Any]]] = {
    "django": (
        ("chat", "templates"),
        [("**.py", "python"), ("**.html", from_template), ("**.txt", from_template)],
        PYTHON_KEYWORDS,
    ),
    "djangojs": (("static/js",), [("**.js", "javascript")], SCRIPT_KEYWORDS),
}


def extracted(domain: str) -> Catalog:
    """Return all texts that the sources mark, untranslated."""
    folders, kinds, keywords = SOURCES[domain]
    catalog = Catalog(domain=domain)
    for folder in folders:
        messages = extract_from_dir(ROOT / folder, kinds, keywords=keywords)
        for name, _, text, _, _ in sorted(messages, key=lambda each: (each[0], each[1])):
            catalog.add(text, locations=[(f"{folder}/{name}", 0)])
    return catalog


def file_of(language: str, domain: str) -> Path:
    return FOLDER / language / "LC_MESSAGES" / f"{domain}.po"


def read(language: str, domain: str) -> Catalog:
    path = file_of(language, domain)
    if not path.exists():
        return Catalog(language, domain, **HEADER)
    with open(path, "rb") as file:
        return read_po(file, locale=language, domain=domain)


def update() -> None:
    """Add new texts to each catalogue, and remove those that are gone."""
    for language in translated():
        for domain in SOURCES:
            catalog, template = read(language, domain), extracted(domain)
            template.creation_date = DATE
            catalog.update(template, no_fuzzy_matching=True)
            catalog.obsolete.clear()
            path = file_of(language, domain)
            path.parent.mkdir(parents=True, exist_ok=True)
            with open(path, "wb") as file:
                write_po(file, catalog, width=100, include_lineno=False, ignore_obsolete=True)


def compile_all() -> None:
    for language in translated():
        django, scripts = file_of(language, "django"), file_of(language, "djangojs")
        if _is_newer(django.with_suffix(".mo"), django):
            with open(django.with_suffix(".mo"), "wb") as file:
                write_mo(file, read(language, "django"))
        if _is_newer(words := words_file(language), django, scripts):
            words.write_text(json.dumps(_words(language), ensure_ascii=False, indent=0))


def words_file(language: str) -> Path:
    return FOLDER / language / "words.json"


def _is_newer(made: Path, *sources: Path) -> bool:
    """Return True if a source is newer than `made`, or `made` is missing."""
    newest = max(source.stat().st_mtime for source in sources)
    return not made.exists() or made.stat().st_mtime < newest


def _words(language: str) -> dict[str, Any]:
    """Return translations for scripts, and of errors that reach them in English."""
    errors = [
        message
        for message in read(language, "django")
        if any(name in ERRORS for name, _ in message.locations)
    ]
    return dict(map(_entry, [*filter(_has_words, read(language, "djangojs")), *errors]))


def _has_words(message: Message) -> bool:
    return bool(message.id and message.string)


def _entry(message: Message) -> tuple[str, Any]:
    if isinstance(message.id, str):
        return message.id, message.string
    return message.id[0], list(message.string or ())


if __name__ == "__main__":
    {"update": update, "compile": compile_all}[sys.argv[1]]()
