"""Present single answers as results of a search."""

from typing import Any

from django.urls import reverse

from chat.conversations.search.query import Query
from chat.conversations.search.snippet import snippet
from chat.generations.models import Generation
from chat.review import access
from chat.review.access_log.staff_context import StaffContext, record_empty_search
from chat.review.search import answer_search
from chat.review.search.conversation_search import ConversationFacets
from chat.review.staff import privacy
from chat.web.review.http.facet_forms import STATE_NAMES
from chat.web.review.search.result_cursors import read_cursor, write_cursor


def answer_results(
    staff_context: StaffContext, facets: ConversationFacets, order: str, begin: str
) -> dict[str, Any]:
    """Return a page of answers; each one shown is logged like a snippet of a search."""
    reviewer = staff_context.reviewer
    generations, following = answer_search.page(reviewer, facets, order, read_cursor(begin))
    ids = list(dict.fromkeys(each.message_id for each in generations))
    messages = {each.pk: each for each in access.read_hits(staff_context, ids)}
    rows = [
        _row(staff_context, each, messages[each.message_id])
        for each in generations
        if each.message_id in messages
    ]
    if facets and not (rows or begin):
        record_empty_search(staff_context)
    totals = None if begin else answer_search.totals(reviewer, facets)
    return {"answers": rows, "next": write_cursor(following), "totals": totals}


def _row(staff_context: StaffContext, answer: Generation, message: Any) -> dict[str, Any]:
    address = reverse("review_conversation", args=[message.conversation_id])
    return {
        "answer": answer,
        "chat": message.conversation,
        "url": f"{address}?at={message.pk}#m{message.pk}",
        "beginning": "".join(piece.text for piece in snippet(message.text, Query(()))),
        "person": privacy.shown_user(staff_context.reviewer, message.conversation.owner),
        "model": answer.model.rpartition("/")[2],
        "state": STATE_NAMES[answer.state],
    }
