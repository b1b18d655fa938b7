"""Which models are suggested, and what the menu says they are good for."""

import re

import pytest

from chat.accounts.models import User
from chat.accounts.preferences import Preferences
from chat.lib.catalogue import Model, read_catalogue
from chat.web.http.model_choices import form_choices, menu_context, menu_models, suggested
from tests.support.web.signed_in import signed_in

SHIPPED = [model for model in read_catalogue().values() if model.is_offered]


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


def names(models: list[Model], **preferences: str) -> list[str]:
    return [model.name for model in suggested(models, Preferences(**preferences))]


def ids(*wanted: str) -> str:
    return " ".join(model.id for name in wanted for model in SHIPPED if model.name == name)


FIRST = ["Llama 3.3 70B", "Llama 4 Scout", "Llama 3.1 8B", "Gemma 4 26B", "GPT-OSS 120B"]


@pytest.mark.parametrize(
    ("preferences", "expected"),
    [
        ({}, FIRST),
        ({"default_model": ids("Qwen3 30B")}, ["Qwen3 30B", *FIRST[:3], "GPT-OSS 120B"]),
        (
            {"recent_models": ids("QwQ 32B", "GLM 5.2")},
            [FIRST[0], "QwQ 32B", "GLM 5.2", *FIRST[1:3]],
        ),
        (
            {"pinned_models": ids("QwQ 32B"), "recent_models": ids("QwQ 32B")},
            ["QwQ 32B", *FIRST[:4]],
        ),
        (
            {"pinned_models": ids("GLM 5.2", "Kimi K2.6", "QwQ 32B", "GLM 5.3", "GPT-OSS 20B")},
            ["GLM 5.2", "Kimi K2.6", "QwQ 32B", "GLM 5.3", "GPT-OSS 20B", FIRST[0]],
        ),
        ({"default_model": "gone/model", "recent_models": "gone/too"}, FIRST),
    ],
    ids=["the site's", "own default", "used last", "pinned", "many pinned", "gone"],
)
def test_the_models_of_the_member_are_suggested_first(
    preferences: dict[str, str], expected: list[str]
) -> None:
    assert names(SHIPPED, **preferences) == expected


def test_models_without_known_strengths_are_suggested_in_the_sites_order() -> None:
    models = [Model(id=f"m{n}", name=f"M{n}", context_window=8000) for n in range(9)]
    assert names(models) == ["M0", "M1", "M2", "M3", "M4"]
    assert names(models[:7]) == [f"M{n}" for n in range(7)]  # all: two more aren't worth a click
    lines = [each.line for each in menu_context(models, Preferences())["suggested_models"]]
    assert lines == ["Everyday questions and writing", "", "", "", ""]


def test_forms_show_the_others_as_a_group() -> None:
    blank, (label, first), (more, others) = form_choices("Any", SHIPPED, Preferences())
    assert blank == ("", "Any")
    assert (label, more) == ("Suggested", "More models")
    assert [name for _, name in first] == FIRST
    assert len(first) + len(others) == len(SHIPPED)


@pytest.mark.django_db
def test_the_page_and_its_menu_show_the_same_groups(alice: User) -> None:
    client = signed_in(alice)
    client.post("/settings/", {"recent_models": f"gone {ids('QwQ 32B', *FIRST)}"})
    alice.refresh_from_db()
    assert Preferences.of(alice).recent_models == ids("QwQ 32B", *FIRST[:2])  # three, at most
    page, menu = (client.get(path).content.decode() for path in ("/chat/", "/chat/models/"))
    first, others = re.findall(r"<optgroup[^>]*>(.*?)</optgroup>", page)
    expected = ["Llama 3.3 70B", "QwQ 32B", "Llama 4 Scout", "Llama 3.1 8B", "Gemma 4 26B"]
    assert re.findall(r">([^<]+)</option>", first) == expected
    assert re.findall(r"<bdi[^>]*>([^<]+)</bdi>", menu.split("<details")[0]) == expected
    assert "selected" in first
    assert len(re.findall("<option", others)) == len(SHIPPED) - len(expected)


@pytest.mark.django_db
def test_only_models_that_are_offered_stay_pinned(alice: User) -> None:
    client = signed_in(alice)
    model = "@cf/openai/gpt-oss-20b"
    client.post("/settings/", {"pinned_models": f"{model} gone/model"})
    alice.refresh_from_db()
    assert Preferences.of(alice).pinned_models == model
    client.post("/settings/", {"theme": "dark"})  # other changes leave it alone
    assert f'data-pinned="{model}"' in client.get("/chat/").content.decode()
