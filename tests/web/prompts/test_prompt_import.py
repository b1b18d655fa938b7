"""Prompts are imported from Open WebUI's export and from our own."""

import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from chat.accounts.models import User
from chat.import_export.account_files import account_files
from chat.personas.models import MAX_PROMPTS, PROMPT_LENGTH, Prompt
from tests.support.web.signed_in import signed_in

pytestmark = pytest.mark.django_db
PAGE = "/prompts/import/"
TONE = 'Be {{tone | select:options=["kind"]}}.'
THEIRS = [
    {"command": "/tone", "title": "Tone", "content": TONE, "timestamp": 1, "user": {"id": "x"}},
    {"command": "sum", "name": "Sum up", "content": "Sum it up.\r\nBriefly.", "is_active": True},
    {"command": "/short", "title": None, "content": "Shorter."},
]


def sent(browser: Client, content: Any) -> Any:
    data = content if isinstance(content, bytes) else json.dumps(content).encode()
    return browser.post(PAGE, {"file": SimpleUploadedFile("prompts.json", data)}, follow=True)


def stored(user: User) -> dict[str, str]:
    return dict(Prompt.objects.filter(owner=user).values_list("name", "text"))


def test_prompts_of_open_webui_keep_their_variables(
    browser: Client, alice: User, bob: User
) -> None:
    page = sent(browser, THEIRS).content.decode()
    assert "3 prompts were imported." in page
    assert stored(alice) == {"Tone": TONE, "Sum up": "Sum it up.\nBriefly.", "short": "Shorter."}
    assert stored(bob) == {}


def test_a_second_import_adds_nothing_twice(browser: Client, alice: User) -> None:
    sent(browser, THEIRS)
    page = sent(browser, [*THEIRS, {"content": "New", "name": "Tone"}]).content.decode()
    assert "1 prompt was imported." in page
    assert "3 prompts were already there." in page
    assert Prompt.objects.filter(owner=alice).count() == 4


def test_the_export_of_an_account_can_be_imported_by_another(alice: User, bob: User) -> None:
    Prompt.objects.create(owner=alice, name="Tone", text=TONE)
    file = dict(account_files(alice))["prompts.json"]
    sent(signed_in(bob), file)
    assert stored(bob) == {"Tone": TONE}


def test_what_is_empty_or_too_long_is_left_out_and_said(browser: Client, alice: User) -> None:
    long = {"name": "Long", "content": "x" * (PROMPT_LENGTH + 1)}
    named = {"name": "y" * 100, "content": "a\u0000b"}
    page = sent(browser, [long, {"name": "Empty", "content": " "}, named]).content.decode()
    assert "2 prompts were left out" in page
    assert stored(alice) == {"y" * 79 + "…": "a\ufffdb"}


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"\xff", b"[1]", b'[{"name":"x"}]', {"kind": "costs"}, b"[" * 100_000, b"<script>"],
    ids=["empty", "cut", "no-text", "numbers", "no-content", "other", "deep", "html"],
)
def test_another_file_is_refused_at_the_form(browser: Client, alice: User, content: Any) -> None:
    response = sent(browser, content)
    assert response.status_code == 422
    assert 'class="field-error"' in response.content.decode()
    assert stored(alice) == {}


def test_a_file_that_exceeds_the_limit_adds_nothing(browser: Client, alice: User) -> None:
    many = [{"name": f"Prompt {number}", "content": "x"} for number in range(MAX_PROMPTS + 1)]
    assert sent(browser, many).status_code == 422
    assert stored(alice) == {}
    Prompt.objects.create(owner=alice, name="Tone", text=TONE)
    assert sent(browser, many[1:]).status_code == 422
    assert stored(alice) == {"Tone": TONE}
    assert sent(browser, [*many[2:], {"name": "Tone", "content": TONE}]).status_code == 200
