"""The site's languages: English, and one for each folder of catalogues. See docs/translating.md.

Needs no installed package when it is imported.
"""

from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "chat" / "locale"


def translated() -> list[str]:
    """Return the languages with catalogues, as their folders are named: `de`, `pt_BR`."""
    return sorted(each.name for each in FOLDER.iterdir() if (each / "LC_MESSAGES").is_dir())


def with_native_names() -> list[tuple[str, str]]:
    """Return the code and native name of each language: English, then the others by name."""
    from django.conf.locale import LANG_INFO
    from django.utils.translation import to_language

    codes = [to_language(folder) for folder in translated()]
    names = {code: LANG_INFO.get(code, {}).get("name_local", code) for code in codes}
    names = {code: name[:1].upper() + name[1:] for code, name in names.items()}
    return [("en", "English"), *sorted(names.items(), key=lambda each: each[1])]
