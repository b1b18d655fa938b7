"""The import map and the preloads: every own module is found, whatever static files are called."""

import json
import re
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command
from django.template import Context, Template
from django.test import override_settings

from chat.templatetags import modules
from project.npm_packages import MODULES

SOURCES = settings.BASE_DIR / "static"
HASHED = {
    "default": settings.STORAGES["default"],
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}


@pytest.fixture(autouse=True)
def _nothing_cached() -> None:
    modules._cached.cache_clear()


def rendered(tags: str) -> str:
    return Template("{% load modules %}" + tags).render(Context({"CSP_NONCE": "n0nce"}))


def import_map() -> dict[str, str]:
    found = re.fullmatch(
        r'<script type="importmap" nonce="n0nce">(.*)</script>', rendered("{% import_map %}")
    )
    assert found
    imports: dict[str, str] = json.loads(found[1])["imports"]
    return imports


def own_modules() -> set[str]:
    return {str(path.relative_to(SOURCES)) for path in SOURCES.glob("js/**/*.js")}


def test_plain_names_lead_to_themselves() -> None:
    own = {f"/static/{path}": f"/static/{path}" for path in own_modules()}
    packages = {name: f"/static/{path}" for name, path in MODULES.items()}
    assert import_map() == own | packages


def test_plain_names_lead_to_hashed_names(tmp_path: Path) -> None:
    with override_settings(STORAGES=HASHED, STATIC_ROOT=tmp_path):
        call_command("collectstatic", interactive=False, verbosity=0)
        found = import_map()
    assert set(found) == {f"/static/{path}" for path in own_modules()} | set(MODULES)
    for name, hashed in found.items():
        plain, ending = (f"/static/{MODULES[name]}" if name in MODULES else name).rsplit(".", 1)
        assert re.fullmatch(rf"{re.escape(plain)}\.[0-9a-f]{{12}}\.{ending}", hashed)
        assert (tmp_path / hashed.removeprefix("/static/")).is_file()


def preloaded_by(entry: str) -> list[str]:
    html = rendered(f'{{% module "{entry}" %}}')
    assert f'<script type="module" src="/static/{entry}" nonce="n0nce"' in html
    return re.findall(r'<link rel="modulepreload" href="/static/(\S+)" nonce="n0nce">', html)


def test_a_page_preloads_all_that_it_imports() -> None:
    needed = {entry: preloaded_by(entry) for entry in ("js/chat.js", "js/settings.js")}
    assert all(len(found) == len(set(found)) for found in needed.values())
    assert set().union(*needed.values()) == own_modules() | {MODULES["marked"], MODULES["remend"]}
    assert len(needed["js/settings.js"]) < 10


def test_the_map_cannot_end_its_script() -> None:
    with override_settings(STATIC_URL="/</script><b>/"):
        assert "</script><b>" not in rendered("{% import_map %}")


def test_a_module_that_is_missing_is_named() -> None:
    with pytest.raises(Exception, match=r"js/nothing\.js"):
        rendered('{% module "js/nothing.js" %}')
