"""Show passages that contradict each other side by side, with links to where they are."""

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import NamedTuple

from django.urls import reverse

from chat.knowledge.access import readable_documents
from chat.knowledge.given import GivenPassage
from chat.website_answers import contradictions
from chat.website_answers.contradictions import Pair
from chat.website_answers.models import AnswerSnippet
from chat.widget_sites.models import WidgetSite


class Side(NamedTuple):
    """A passage; `link` is empty if the member may not open its document."""

    name: str
    text: str
    link: str


class ListedAnswer(NamedTuple):
    """An answer that a person wrote, and what contradicts it."""

    snippet: AnswerSnippet
    contradicting: list[Side]


def listed(user_id: int, site: WidgetSite, snippets: Sequence[AnswerSnippet]) -> list[ListedAnswer]:
    """Return answers with what contradicts them; those with contradictions first."""
    found = contradictions.with_texts(snippets)
    sides = _sides(user_id, site, chain.from_iterable(found.values()))
    shown = [
        ListedAnswer(each, [sides[other] for other in found.get(each.pk, [])]) for each in snippets
    ]
    return sorted(shown, key=lambda each: not each.contradicting)


def pairs_of(user_id: int, site: WidgetSite, pairs: Sequence[Pair]) -> list[tuple[Side, Side]]:
    """Return pairs of passages as they are shown."""
    sides = _sides(user_id, site, chain.from_iterable(pairs))
    return [(sides[one], sides[other]) for one, other in pairs]


def _sides(
    user_id: int, site: WidgetSite, passages: Iterable[GivenPassage]
) -> dict[GivenPassage, Side]:
    shown = list(passages)
    if not shown:
        return {}
    ids = {each.document for each in shown if not each.address}
    readable = readable_documents(user_id, ids)
    answers = dict(site.snippets.filter(document__in=ids).values_list("document", "pk"))

    def link_of(passage: GivenPassage) -> str:
        if passage.document in answers:
            return reverse("site_answer", args=[site.key, answers[passage.document]])
        if passage.document in readable:
            place = f"?passage={passage.start}-{passage.end}#passage"
            return reverse("document", args=[passage.document]) + place
        return passage.link

    return {each: Side(each.name, each.text, link_of(each)) for each in shown}
