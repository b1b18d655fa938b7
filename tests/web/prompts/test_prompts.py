"""Pages for prompts, and the list in the message box."""

import json
import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from chat.accounts.models import User
from chat.personas.models import Persona, Prompt
from tests.browser.payloads import HTML
from tests.support.variants import some_now
from tests.support.web.personas import page
from tests.support.web.signed_in import signed_in

pytestmark = pytest.mark.django_db


def names(client: Client) -> list[str]:
    response = client.get("/prompts/names")
    assert "no-store" in response["Cache-Control"]
    return [each["name"] for each in json.loads(response.content)["prompts"]]


def text_of(client: Client, prompt: Prompt) -> str:
    return str(json.loads(client.get(f"/prompts/{prompt.pk}/text").content)["text"])


def test_lists_do_not_load_whole_texts(alice: User) -> None:
    """Five hundred prompts of 80 KB would take forty megabytes for each request."""
    client = signed_in(alice)
    for number in range(3):
        Prompt.objects.create(owner=alice, name=f"Prompt {number}", text="Begin " + "x" * 20_000)
        Persona.objects.create(owner=alice, name=f"Persona {number}", system_prompt="y" * 20_000)
    for path in ("/prompts/", "/personas/", "/prompts/names", "/sites/new/"):
        with CaptureQueriesContext(connection) as queries:
            response = client.get(path)
        assert response.status_code == 200, path
        asked = " ".join(each["sql"] for each in queries)
        for column in ('"chat_prompt"."text"', '"chat_persona"."system_prompt"'):
            beginnings = re.findall(rf"SUBSTR(?:ING)?\({re.escape(column)}", asked)
            assert asked.count(column) == len(beginnings), path
        assert b"x" * 500 not in response.content
    assert b"Begin" in client.get("/prompts/").content


def test_a_prompt_is_created_listed_changed_and_deleted(browser: Client, alice: User) -> None:
    text = "Translate to {language}:\r\n\r\n{text}"
    assert browser.post("/prompts/new/", {"name": "Translate", "text": text}).status_code == 302
    prompt = Prompt.objects.get()
    assert prompt.owner == alice
    assert names(browser) == ["Translate"]
    assert text_of(browser, prompt) == "Translate to {language}:\n\n{text}"
    browser.post(f"/prompts/{prompt.pk}/", {"name": "Other", "text": "Words"})
    assert names(browser) == ["Other"]
    assert "Delete this prompt?" in page(browser, f"/prompts/{prompt.pk}/deletion/")
    browser.post(f"/prompts/{prompt.pk}/deletion/")
    assert names(browser) == []


def test_the_message_box_text_fills_the_form(browser: Client) -> None:
    response = browser.post(
        "/prompts/new/", {"message": "Keep <b>me</b>", "model": "x", "key": "y"}
    )
    assert response.status_code == 200
    assert "Keep &lt;b&gt;me&lt;/b&gt;" in response.content.decode()
    assert not Prompt.objects.exists()


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"name": "", "text": "Words"}, "This field is required."),
        ({"name": "Name", "text": " "}, "This field is required."),
        (
            {"name": "Name", "text": "x" * 200_000},
            "This has 200,000 characters. The limit is 20,000",
        ),
        ({"name": "x" * 500, "text": "Words"}, "This has 500 characters. The limit is 80."),
    ],
)
def test_invalid_input_is_refused_with_the_reason_and_kept(
    browser: Client, wrong: dict[str, str], words: str
) -> None:
    response = browser.post("/prompts/new/", wrong)
    shown = response.content.decode()
    assert response.status_code == 422
    assert words in shown
    assert all(value in shown for value in wrong.values())
    assert not Prompt.objects.exists()


def test_another_members_prompt_answers_404(
    browser: Client, bob_browser: Client, alice: User
) -> None:
    prompt = Prompt.objects.create(owner=alice, name="Mine", text="Secret")
    assert names(bob_browser) == []
    assert "Mine" not in page(bob_browser, "/prompts/")
    for rest in ("", "text", "deletion/"):
        assert bob_browser.get(f"/prompts/{prompt.pk}/{rest}").status_code == 404


def test_prompts_shared_by_staff_can_be_used_but_not_changed(
    rita: User, bob_browser: Client
) -> None:
    sent = {"name": "House style", "text": "Write plainly.", "sharing": "everybody"}
    signed_in(rita).post("/prompts/new/", sent)
    prompt = Prompt.objects.get()
    assert names(bob_browser) == ["House style"]
    assert text_of(bob_browser, prompt) == "Write plainly."
    assert "House style" in page(bob_browser, "/prompts/")
    assert bob_browser.post(f"/prompts/{prompt.pk}/", sent).status_code == 404
    assert bob_browser.post(f"/prompts/{prompt.pk}/deletion/").status_code == 404


@pytest.mark.parametrize("name", some_now(each[:80] for each in HTML))
def test_a_hostile_prompt_is_shown_as_text_everywhere(
    browser: Client, alice: User, name: str
) -> None:
    prompt = Prompt.objects.create(owner=alice, name=name, text=name)
    for path in ("/prompts/", f"/prompts/{prompt.pk}/", f"/prompts/{prompt.pk}/deletion/"):
        assert name not in page(browser, path)


def test_the_preview_names_variables_without_their_definitions(
    browser: Client, alice: User
) -> None:
    text = 'To {{who | text:default="Ann"}}, {{ day }}, {x|y}: {{tone | select:options=["a", "b"'
    Prompt.objects.create(owner=alice, name="Letter", text=text)
    found = browser.get("/prompts/names").json()["prompts"]
    assert found[0]["preview"] == "To {{who}}, {{ day }}, {x|y}: {{tone}}"
