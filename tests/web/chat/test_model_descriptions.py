"""The menu says what a model is good for, as far as the catalogue's facts tell."""

import pytest
from django.test import Client

from chat.accounts.models import User
from chat.accounts.preferences import Preferences
from chat.lib.catalogue import Model
from chat.web.chat.model_menu import menu_models


@pytest.mark.parametrize(
    ("facts", "line", "tags"),
    [
        ({"output_usd_per_million": 0.2}, "Quick answers to simple questions", ("Fast",)),
        ({"output_usd_per_million": 2.2}, "Everyday questions and writing", ("Smart",)),
        ({}, "Everyday questions and writing", ()),
        ({"vision": True}, "Everyday questions and writing", ("Images",)),
        (
            {"output_usd_per_million": 0.5, "context_window": 128_000},
            "Everyday questions and long documents",
            ("Long",),
        ),
        (
            {"reasoning": True, "output_usd_per_million": 1.0},
            "Thinks before it answers, for hard questions",
            ("Smart",),
        ),
        (
            {"reasoning": True, "output_usd_per_million": 0.3, "context_window": 128_000},
            "Thinks before it answers, at a low price",
            ("Long",),
        ),
        ({"id": "qwen2.5-coder-32b", "reasoning": True}, "Writes and explains code", ("Smart",)),
    ],
)
def test_a_model_is_described_by_its_facts(
    facts: dict[str, object], line: str, tags: tuple[str, ...]
) -> None:
    given: dict[str, object] = {"id": "some-model", "context_window": 32_000} | facts
    (found,) = menu_models([Model(**given)])  # type: ignore[arg-type]
    assert (found.line, found.tags) == (line, tags)


@pytest.mark.django_db
def test_only_models_that_are_offered_stay_pinned(alice: User) -> None:
    client = Client()
    client.force_login(alice, backend="allauth.account.auth_backends.AuthenticationBackend")
    model = "@cf/openai/gpt-oss-20b"
    client.post("/settings/", {"pinned_models": f"{model} gone/model"})
    alice.refresh_from_db()
    assert Preferences.of(alice).pinned_models == model
    client.post("/settings/", {"theme": "dark"})  # other changes leave it alone
    assert f'data-pinned="{model}"' in client.get("/chat/").content.decode()
