"""Check that scripts, style sheets and translations are built and collected."""

import filecmp
import json
from collections.abc import Iterator
from pathlib import Path

from django.apps import apps
from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.files.storage import FileSystemStorage
from django.utils.translation import to_locale

from chat.doctor.check_result import CheckResult, DoctorOptions

NAME = "Static files"
#: One of each kind that `make assets` builds.
BUNDLES = ("js/chat.js", "css/site.css", "widget/w.js")
MANIFEST = "staticfiles.json"
COLLECT = "Run: manage.py collectstatic --noinput, and restart the processes"


def check_static(_options: DoctorOptions) -> Iterator[CheckResult]:
    missing = [each for each in BUNDLES if not (settings.BASE_DIR / "build" / each).exists()]
    if missing:
        message = f"Scripts and style sheets aren't bundled ({', '.join(missing)} missing)."
        yield CheckResult(NAME, "warning", message, "Run: make assets, so that pages load faster")
    untranslated = [
        code
        for code, _ in settings.LANGUAGES
        if code != "en" and not _catalogue(code).with_suffix(".mo").exists()
    ]
    if untranslated:
        message = f"Translations aren't compiled: {', '.join(untranslated)}."
        yield CheckResult(NAME, "warning", message, "Run: make compilemessages")
    yield _collected()


def _catalogue(code: str) -> Path:
    return Path(settings.LOCALE_PATHS[0]) / to_locale(code) / "LC_MESSAGES" / "django.po"


def _collected() -> CheckResult:
    root = Path(settings.STATIC_ROOT)
    try:
        hashed: dict[str, str] = json.loads((root / MANIFEST).read_text())["paths"]
    except (OSError, ValueError, KeyError):
        return CheckResult(NAME, "problem", f"They aren't collected in {root}.", COLLECT)
    sources = dict(_sources())
    old = [name for name, source in sources.items() if not _is_same(source, root / name)]
    absent = [name for name in sources if not (root / hashed.get(name, "?")).exists()]
    facts = {"files": len(sources), "outdated": len({*old, *absent})}
    if old or absent:
        example = (old or absent)[0]
        message = f"{facts['outdated']} collected files are not those of this version: {example}"
        return CheckResult(NAME, "problem", message, COLLECT, facts)
    return CheckResult(NAME, "ok", f"{len(sources)} files are collected and current.", facts=facts)


def _sources() -> Iterator[tuple[str, Path]]:
    """Yield name and file of everything to be collected. Of two with the same name, the first."""
    seen = set()
    ignored = apps.get_app_config("staticfiles").ignore_patterns  # type: ignore[attr-defined]
    for finder in get_finders():
        for path, storage in finder.list(ignored):
            name = str(Path(getattr(storage, "prefix", None) or "") / path)
            if name not in seen and isinstance(storage, FileSystemStorage):
                seen.add(name)
                yield name, Path(storage.path(path))


def _is_same(source: Path, collected: Path) -> bool:
    try:
        return filecmp.cmp(source, collected, shallow=False)
    except OSError:
        return False
