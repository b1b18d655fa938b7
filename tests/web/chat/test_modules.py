"""The scripts of a page: one bundle, and modules on demand, with hashed URLs."""

import json
import re
from pathlib import Path

import pytest
from django.conf import settings
from django.template import Context, Template
from django.test import override_settings

from chat.templatetags import modules
from project.npm.js_modules import MODULES, PARTS
from project.npm.npm_packages import LANGUAGES_PATH
from project.static import StaticMiddleware
from tests.support.database.database_templates import copy_static

HASHED = {
    "default": settings.STORAGES["default"],
    "staticfiles": {"BACKEND": "project.static_storage.StaticStorage"},
}


@pytest.fixture(autouse=True)
def _nothing_cached() -> None:
    modules._import_map.cache_clear()


@pytest.fixture(scope="module")
def collected(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the static files, as `collectstatic` makes them."""
    folder = tmp_path_factory.mktemp("collected") / "static"
    copy_static(folder)
    return folder


def rendered(tags: str) -> str:
    return Template("{% load modules %}" + tags).render(Context({"CSP_NONCE": "n0nce"}))


def import_map() -> dict[str, str]:
    found = re.fullmatch(
        r'<script type="importmap" nonce="n0nce">(.*)</script>', rendered("{% import_map %}")
    )
    assert found
    imports: dict[str, str] = json.loads(found[1])["imports"]
    return imports


def test_every_module_is_in_the_import_map() -> None:
    assert import_map() == {name: f"/static/{path}" for name, path in MODULES.items()}


def test_import_names_resolve_to_hashed_urls(collected: Path) -> None:
    with override_settings(STORAGES=HASHED, STATIC_ROOT=collected):
        found = import_map()
        script = rendered('{% module "js/chat.js" %}')
    assert found.pop("highlight/") == f"/static/{LANGUAGES_PATH}/"
    assert (collected / LANGUAGES_PATH / "python.min.js").is_file()
    for name, hashed in found.items():
        plain, ending = f"/static/{MODULES[name]}".rsplit(".", 1)
        assert re.fullmatch(rf"{re.escape(plain)}\.[0-9a-f]{{12}}\.{ending}", hashed)
        assert (collected / hashed.removeprefix("/static/")).is_file()
    assert re.search(r'src="/static/js/chat\.[0-9a-f]{12}\.js" nonce="n0nce"', script)


def test_a_file_in_a_folder_with_a_version_is_kept_for_good(collected: Path) -> None:
    with override_settings(STORAGES=HASHED, STATIC_ROOT=collected):
        files = StaticMiddleware(lambda _request: None).files
    python = dict(files[f"/static/{LANGUAGES_PATH}/python.min.js"].alternatives[-1][2])
    assert python["Cache-Control"].endswith("immutable")
    plain = dict(files["/static/npm/highlight/core.min.js"].alternatives[-1][2])
    assert "immutable" not in plain["Cache-Control"]


@pytest.mark.parametrize("path", ["js/chat.js", *PARTS.values()])
def test_a_bundle_imports_nothing(path: str) -> None:
    bundle = (settings.BASE_DIR / "build" / path).read_text()
    assert not re.search(r"""\bfrom\s*["']|^import\s*["']|import\(["']""", bundle, re.MULTILINE)


def test_every_on_demand_import_is_in_the_map() -> None:
    scripts = [file.read_text() for file in (settings.BASE_DIR / "static/js").rglob("*.js")]
    wanted = re.findall(r'onDemand\("([^"]+)"\)', "".join(scripts))
    assert set(PARTS) < set(wanted) < set(MODULES)


def test_types_of_modules_match_their_files() -> None:
    types = (settings.BASE_DIR / "static/js/types.d.ts").read_text()
    typed = re.findall(r'^  (\w+): typeof import\("\./([^"]+)"\);$', types, re.MULTILINE)
    assert {name: f"js/{path}" for name, path in typed} == PARTS


def test_a_module_can_be_preloaded() -> None:
    link = '<link rel="modulepreload" href="/static/js/markdown/markdown.js" nonce="n0nce">'
    assert rendered('{% preload "markdown" %}') == link


def test_the_import_map_cannot_close_its_script_element() -> None:
    with override_settings(STATIC_URL="/</script><b>/"):
        assert "</script><b>" not in rendered("{% import_map %}")
