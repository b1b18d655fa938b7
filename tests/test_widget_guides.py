"""The code in docs/widget.md signs tokens that the site accepts."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import transaction
from django.test import RequestFactory

from chat.accounts.models import User
from chat.widget_sites import identity_keys
from chat.widget_sites.identity import Identity, read_identity
from chat.widget_sites.models import WidgetSite
from tests.support.browser.guides import block, node, php, run
from tests.support.servers.server import ROOT

pytestmark = pytest.mark.django_db
Signer = Callable[[WidgetSite, str, str], str]


def by_django(site: WidgetSite, key_id: str, secret: str, settings: Any) -> str:
    settings.RUNNEL_SITE, settings.RUNNEL_KEY_ID = site.key, key_id
    settings.RUNNEL_SECRET = secret
    code: dict[str, Any] = {}
    exec(block("python", "chat_identity"), code)
    request = RequestFactory().get("/chat-identity")
    request.user = SimpleNamespace(pk=7, is_authenticated=True)  # type: ignore[assignment]
    token: str = code["chat_identity"](request).content.decode()
    return token


def names_of(site: WidgetSite, key_id: str, secret: str) -> dict[str, str]:
    """Return the environment variables of such a server."""
    return {"RUNNEL_SITE": site.key, "RUNNEL_KEY_ID": key_id, "RUNNEL_SECRET": secret}


@pytest.fixture
def key() -> tuple[WidgetSite, str, str]:
    owner = User.objects.create(email="alice@example.org")
    site = WidgetSite.objects.create(owner=owner, name="Canoes")
    made, secret = identity_keys.make_secret(site)
    return site, str(made.pk), secret


def taken(site: WidgetSite, token: str) -> Identity:
    with transaction.atomic():
        return read_identity(site, token)


def test_the_django_example_identifies_its_user(
    key: tuple[WidgetSite, str, str], settings: Any
) -> None:
    assert taken(key[0], by_django(*key, settings)) == Identity("7")


def test_the_node_example_identifies_its_user(
    key: tuple[WidgetSite, str, str], tmp_path: Path
) -> None:
    script = tmp_path / "identity.mjs"
    script.write_text(block("js", "chatIdentity") + "console.log(chatIdentity(7));\n")
    token = run(node(), str(script), **names_of(*key))
    assert taken(key[0], token) == Identity("7")


@pytest.mark.long
def test_the_php_example_identifies_its_user(
    key: tuple[WidgetSite, str, str], tmp_path: Path
) -> None:
    script = tmp_path / "identity.php"
    script.write_text(block("php", "chat_identity") + "echo chat_identity('7');\n")
    assert taken(key[0], php(script, **names_of(*key))) == Identity("7")


@pytest.mark.long
def test_the_wordpress_example_writes_the_tag(tmp_path: Path) -> None:
    script = tmp_path / "functions.php"
    wordpress = '<?php function add_action($hook, $write) { echo "$hook: "; $write(); }\n'
    script.write_text(wordpress + block("php", "wp_footer"))
    assert php(script) == "wp_footer: " + block("html", "w.js").strip()


def test_documented_attributes_properties_and_calls_exist_in_the_loader() -> None:
    files = ("w.js", "panel.js", "panel_style.js", "frame.js")
    loader = "".join((ROOT / "static/widget" / each).read_text() for each in files)
    text = (ROOT / "docs" / "widget.md").read_text()
    for name in re.findall(r"^\| `(data-\w+)`", text, re.MULTILINE):
        assert json.dumps(name)[6:-1] in loader, name
    for name in re.findall(r"`(--runnel-\w+)`", text):
        assert name in loader, name
