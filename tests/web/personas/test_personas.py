"""Pages for personas: create, edit, copy, delete and share."""

from html import unescape
from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.test import Client

from chat.accounts.models import User
from chat.accounts.preferences import Preferences
from chat.personas.models import Persona
from chat.personas.parameters import MAX_TOKENS, RANGES
from chat.web.streams.request_parameters import AnswerParameters
from tests.browser.payloads import HTML
from tests.support.variants import some_now
from tests.support.web.personas import page

pytestmark = pytest.mark.django_db
SMALL = {"name": "Tutor", "system_prompt": "Answer with a question."}
LLAMA = "@cf/meta/llama-3.3-70b-instruct-fp8-fast"
WHOLE = SMALL | {
    "description": "Teaches",
    "starters": " What is  a river?\n\nWhy? \r\n",
    "model": LLAMA,
    "fallback_model": "@cf/openai/gpt-oss-20b",
    "temperature": "0,7",
    "top_k": "40",
    "seed": "7",
    "max_tokens": "300",
    "caching": "keep",
    "cache_seconds": "3600",
}


def test_a_persona_is_created_as_entered(browser: Client, alice: User) -> None:
    assert browser.post("/personas/new/", WHOLE).status_code == 302
    persona = Persona.objects.get()
    assert persona.owner == alice
    assert persona.starters == ["What is a river?", "Why?"]
    assert persona.parameters == {"temperature": 0.7, "top_k": 40, "seed": 7}
    assert (persona.max_tokens, persona.cache_seconds) == (300, 3600)
    assert (persona.model, persona.fallback_model) == (LLAMA, "@cf/openai/gpt-oss-20b")
    assert "Tutor" in page(browser, "/personas/")


def test_an_edited_persona_loses_emptied_fields(browser: Client) -> None:
    browser.post("/personas/new/", WHOLE)
    path = f"/personas/{Persona.objects.get().pk}/"
    shown = page(browser, path)
    for text in ("Answer with a question.", "What is a river?\nWhy?", 'value="0.7"', "<details"):
        assert text in shown
    browser.post(path, SMALL | {"caching": "skip"})
    persona = Persona.objects.get()
    assert (persona.parameters, persona.starters, persona.max_tokens) == ({}, [], None)
    assert (persona.model, persona.cache_seconds) == ("", 0)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"name": " "}, "This field is required."),
        ({"name": "x" * 81}, "This has 81 characters. The limit is 80."),
        ({"description": "x" * 201}, "This has 201 characters"),
        ({"system_prompt": "x" * 200_000}, "This has 200,000 characters. The limit is 100,000."),
        ({"starters": "\n".join("abcdefg")}, "Enter at most 6 lines."),
        ({"starters": "x" * 501}, "Each line can have up to 500 characters."),
        ({"model": "no/such-model"}, "Select a valid choice."),
        ({"fallback_model": "no/such-model"}, "Select a valid choice."),
        ({"temperature": "5.1"}, "Enter a number from 0 to 5, or leave this blank."),
        ({"temperature": "warm"}, "Enter a number from 0 to 5, or leave this blank."),
        ({"temperature": "nan"}, "Enter a number from 0 to 5, or leave this blank."),
        ({"top_p": "0"}, "Enter a number from 0.001 to 1, or leave this blank."),
        ({"top_k": "1.5"}, "Enter a whole number from 1 to 50, or leave this blank."),
        ({"seed": "0"}, "Enter a whole number from 1 to"),
        ({"presence_penalty": "-3"}, "Enter a number from -2 to 2, or leave this blank."),
        ({"max_tokens": "1000001"}, "Enter a whole number from 1 to"),
        ({"caching": "maybe"}, "Select a valid choice."),
        ({"caching": "keep"}, "Enter the cache duration."),
        ({"caching": "keep", "cache_seconds": "59"}, "Enter a whole number from 60 to"),
    ],
)
def test_invalid_input_is_refused_with_the_reason_and_kept(
    browser: Client, wrong: dict[str, str], words: str
) -> None:
    response = browser.post("/personas/new/", SMALL | wrong)
    shown = response.content.decode()
    assert response.status_code == 422
    assert words in shown
    assert not Persona.objects.exists()
    for name, value in (SMALL | wrong).items():
        if name not in {"model", "fallback_model", "caching"}:
            assert value.strip() in shown
    assert "<details" in shown


def test_the_forms_ranges_match_the_relays() -> None:
    hints = {**RANGES, "max_tokens": MAX_TOKENS}
    for name, (least, most, is_whole) in hints.items():
        kind, meta = AnswerParameters.__annotations__[name].__args__[0].__origin__, None
        meta = AnswerParameters.__annotations__[name].__args__[0].__metadata__[0]
        assert (meta.ge, meta.le, kind is int) == (least, most, is_whole), name


def test_a_system_prompt_of_ten_kilobytes_is_stored_unchanged(browser: Client) -> None:
    text = "“Ünïcode” {x} <b>\n" * 600
    browser.post("/personas/new/", SMALL | {"system_prompt": text.replace("\n", "\r\n")})
    assert Persona.objects.get().system_prompt == text.strip()


@pytest.mark.parametrize("name", some_now(each[:80] for each in HTML))
def test_a_hostile_name_is_shown_as_text_everywhere(
    browser: Client, alice: User, name: str
) -> None:
    starters = [name, "</script><script>alert(1)</script>"]
    persona = Persona.objects.create(owner=alice, name=name, description=name, starters=starters)
    harmless = page(browser, "/chat/?persona=").count("<script")
    for path in (
        "/chat/",
        f"/chat/?persona={persona.pk}",
        f"/chat/temporary/?persona={persona.pk}",
    ):
        shown = page(browser, path)
        assert name not in shown, path
        assert shown.count("<script") == harmless
    for path in ("/personas/", f"/personas/{persona.pk}/", f"/personas/{persona.pk}/deletion/"):
        assert name not in page(browser, path), path


def test_a_copy_belongs_to_the_member_and_is_equal(browser: Client, alice: User) -> None:
    browser.post("/personas/new/", WHOLE)
    first = Persona.objects.get()
    response = browser.post(f"/personas/{first.pk}/copy/")
    copy = Persona.objects.exclude(pk=first.pk).get()
    assert response["Location"] == f"/personas/{copy.pk}/"
    assert (copy.name, copy.owner, copy.parameters) == ("Tutor (copy)", alice, first.parameters)


def test_deleting_asks_for_confirmation(browser: Client) -> None:
    browser.post("/personas/new/", SMALL)
    path = f"/personas/{Persona.objects.get().pk}/deletion/"
    assert "Delete this persona?" in page(browser, path)
    assert Persona.objects.exists()
    browser.post(path)
    assert not Persona.objects.exists()


def test_a_member_has_a_hundred_personas_at_most(browser: Client, alice: User) -> None:
    Persona.objects.bulk_create(Persona(owner=alice, name=f"{n}") for n in range(100))
    response = browser.post("/personas/new/", SMALL)
    assert response.status_code == 422
    assert "You've reached the limit of 100." in unescape(response.content.decode())
    browser.post(f"/personas/{Persona.objects.first().pk}/copy/")  # type: ignore[union-attr]
    assert Persona.objects.count() == 100


def test_another_members_persona_answers_404(browser: Client, bob_browser: Client) -> None:
    browser.post("/personas/new/", SMALL)
    persona = Persona.objects.get().pk
    paths = ["", "copy/", "deletion/"]
    for path in [f"/personas/{persona}/{rest}" for rest in paths]:
        assert bob_browser.post(path, SMALL | {"name": "Taken"}).status_code == 404
    for path in (f"/personas/{persona}/", f"/chat/?persona={persona}"):
        assert bob_browser.get(path).status_code == 404
    assert "Tutor" not in page(bob_browser, "/personas/")
    assert "Tutor" not in page(bob_browser, "/chat/")
    assert Persona.objects.get().name == "Tutor"


@pytest.mark.parametrize(
    "wrong", ["x", "0", "7c0b5a3e-4b7e-4e0e-9c4d-3f1f0f6a2b11", "\0", "'; --", "x" * 3000]
)
def test_a_new_chat_with_an_unknown_persona_answers_404(browser: Client, wrong: str) -> None:
    for path in ("/chat/", "/chat/temporary/"):
        assert browser.get(path, {"persona": wrong}).status_code == 404


def test_a_shared_persona_is_used_by_everybody_but_read_only_by_staff(
    rita_browser: Client, bob_browser: Client
) -> None:
    rita_browser.post("/personas/new/", SMALL | {"sharing": "everybody", "starters": "Begin"})
    persona = Persona.objects.get()
    assert (persona.owner, persona.for_everybody) == (None, True)
    for path in ("/personas/", "/chat/", f"/chat/?persona={persona.pk}"):
        shown = page(bob_browser, path)
        assert "Tutor" in shown
        assert "Answer with a question." not in shown
    assert bob_browser.get(f"/personas/{persona.pk}/").status_code == 404
    assert bob_browser.post(f"/personas/{persona.pk}/copy/").status_code == 404
    assert bob_browser.post(f"/personas/{persona.pk}/deletion/").status_code == 404


def test_only_the_chosen_group_can_use_a_persona(
    rita_browser: Client, browser: Client, bob_browser: Client, alice: User
) -> None:
    group = Group.objects.create(name="Readers")
    alice.groups.add(group)
    rita_browser.post("/personas/new/", SMALL | {"sharing": "groups", "groups": [group.pk]})
    persona = Persona.objects.get()
    assert "Tutor" in page(browser, f"/chat/?persona={persona.pk}")
    assert bob_browser.get(f"/chat/?persona={persona.pk}").status_code == 404
    assert "Tutor" not in page(bob_browser, "/personas/")
    rita_browser.post(f"/personas/{persona.pk}/", SMALL | {"sharing": "own"})
    assert browser.get(f"/chat/?persona={persona.pk}").status_code == 404
    assert "Tutor" in page(rita_browser, "/personas/")


def test_sharing_with_groups_requires_a_group(rita_browser: Client) -> None:
    Group.objects.create(name="Readers")
    response = rita_browser.post("/personas/new/", SMALL | {"sharing": "groups"})
    assert response.status_code == 422
    assert "Choose at least one group." in response.content.decode()


@pytest.mark.parametrize("sharing", ["everybody", "groups"])
def test_only_staff_can_share(browser: Client, alice: User, sharing: str) -> None:
    group = Group.objects.create(name="Readers")
    assert "Shared with" not in page(browser, "/personas/new/")
    browser.post("/personas/new/", SMALL | {"sharing": sharing, "groups": [group.pk]})
    persona = Persona.objects.get()
    assert (persona.owner, persona.for_everybody) == (alice, False)
    assert not persona.groups.exists()


def test_a_shared_persona_outlives_its_creators_account(rita_browser: Client, rita: User) -> None:
    rita_browser.post("/personas/new/", SMALL | {"sharing": "everybody"})
    rita_browser.post("/personas/new/", SMALL | {"name": "Own", "sharing": "own"})
    rita.delete()
    assert [each.name for each in Persona.objects.all()] == ["Tutor"]


def test_a_new_chat_shows_the_personas_description_and_starters(browser: Client) -> None:
    browser.post("/personas/new/", WHOLE)
    persona = Persona.objects.get().pk
    shown = page(browser, f"/chat/?persona={persona}")
    assert f'<option value="{LLAMA}" selected' in shown
    assert 'data-prompt="What is a river?"' in shown
    assert "Get a long answer" not in shown
    assert f'name="persona" value="{persona}"' in shown
    assert 'data-persona="' not in page(browser, "/chat/")


def test_every_new_chat_starts_with_the_default_persona(browser: Client, alice: User) -> None:
    assert "Default persona" not in page(browser, "/settings/")
    browser.post("/personas/new/", SMALL)
    persona = str(Persona.objects.get().pk)
    browser.post("/settings/", {"default_persona": persona})
    alice.refresh_from_db()
    assert Preferences.of(alice).default_persona == persona
    chosen = f'data-persona="{persona}"'
    assert chosen in page(browser, "/chat/")
    assert chosen in page(browser, "/chat/temporary/")
    assert chosen not in page(browser, "/chat/?persona=")
    Persona.objects.all().delete()
    assert "data-persona" not in page(browser, "/chat/")
    assert browser.post("/settings/", {"theme": "dark"}).status_code == 302


@pytest.mark.parametrize("stored", ["not an id", "\0", "7c0b5a3e-4b7e-4e0e-9c4d-3f1f0f6a2b11"])
def test_an_unknown_default_persona_is_ignored(browser: Client, alice: User, stored: Any) -> None:
    if "\0" not in stored:  # PostgreSQL would not take it
        alice.preferences = {"default_persona": stored}
        alice.save()
    page(browser, "/chat/")
    Persona.objects.create(owner=alice, name="Tutor")
    response = browser.post("/settings/", {"default_persona": str(stored)})
    assert response.status_code == 422
