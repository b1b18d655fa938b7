"""What is the same for everybody is rendered once per language; what is not, each time."""

from typing import Any
from unittest import mock

import pytest
from django.template import Context, Engine
from django.templatetags.i18n import TranslateNode
from django.utils import translation

PAGES = {
    "parent": "{% load i18n static %}<a>{% block main %}{% endblock %}</a>"
    '{% translate "Cancel" %} {{ name }} {% url "chat" %}{% static "css/site.css" %}',
    "child": '{% extends "parent" %}{% load i18n %}{% block main %}'
    '{% if name %}{% translate "Save" %}{% else %}{% translate "Cancel" %}{% endif %}'
    '{% for each in names %}<b>{{ each }}</b>{% translate "Close" %}{% endfor %}{% endblock %}',
    "kept": '{% load i18n %}{% translate word %}{% translate "Save" as label %}{{ label|lower }}'
    '{% url "conversation" chat %}{% translate "Save"|upper %}',
}


FOLDING, CACHED = (
    "project.template_folding.FoldingLoader",
    "django.template.loaders.cached.Loader",
)


def rendered(page: str, context: dict[str, Any], loader: str = FOLDING) -> str:
    loaders = [(loader, [("django.template.loaders.locmem.Loader", PAGES)])]
    libraries = {
        "i18n": "django.templatetags.i18n",
        "static": "django.templatetags.static",
    }
    template = Engine(loaders=loaders, libraries=libraries).get_template(page)
    texts = []
    for language in ("en", "de", "ar", "en"):
        with translation.override(language):
            texts.append(template.render(Context(context)))
    return "\n".join(texts)


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("user", ["", "<alice>"])
def test_a_folded_template_renders_the_same(page: str, user: str) -> None:
    chat = "7f1f3f0e-0000-4000-8000-000000000000"
    context = {"name": user, "names": ["a", "<b>"], "word": "Delete", "chat": chat}
    assert rendered(page, context) == rendered(page, context, CACHED)
    assert "Abbrechen" in rendered("parent", context)


def test_tags_with_constants_are_rendered_once_per_language() -> None:
    with mock.patch.object(TranslateNode, "render", return_value="x") as render:
        rendered("parent", {})
    assert render.call_count == len({"en", "de", "ar"})
