"""Why an answer can't go on is read in English from a stream, and shown in the reader's language."""

import itertools
import json

import pytest
from django.utils import translation

from chat.quotas.ended_answers import words_at_limit, words_if_reserved
from chat.quotas.limits import EffectiveLimit
from chat.quotas.models import Limit
from chat.quotas.units import Measure
from project.site_languages import translated
from project.translations import words_file

MEASURES = (Measure.TOKENS, Measure.DOLLARS)
BOUNDS = [
    EffectiveLimit("key", scope, measure, 1, is_of_api_key=is_of_api_key)
    for scope, measure, is_of_api_key in itertools.product(Limit.Scope, MEASURES, (False, True))
]


@pytest.mark.parametrize("language", translated())
def test_pages_and_stored_answers_translate_each(language: str) -> None:
    catalogue = json.loads(words_file(language).read_text())
    for bound in BOUNDS:
        for words in (words_at_limit(bound), words_if_reserved(bound)):
            with translation.override("en"):
                english = str(words)
            with translation.override(language):
                assert str(words) == translation.gettext(english) == catalogue[english] != english


def test_each_kind_of_limit_is_named() -> None:
    assert len({str(words_at_limit(each)) for each in BOUNDS}) == 9
    assert len({str(words_if_reserved(each)) for each in BOUNDS}) == 2
