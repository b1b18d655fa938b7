"""Present the staff's list: conversations by filters, or messages by keywords."""

from typing import Any
from urllib.parse import parse_qsl, urlencode

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from chat.conversations.search.query import parse
from chat.conversations.search.snippet import snippet
from chat.lib.personal_data.kinds import PersonalDataKind
from chat.review import access
from chat.review.access_log import queries as log_queries
from chat.review.access_log.staff_context import StaffContext, record_empty_search
from chat.review.case_models import Case, Flag
from chat.review.models import ConversationStats, SavedSearch
from chat.review.search import answer_search, conversation_search, saved_searches
from chat.review.search.conversation_search import (
    ANY_KIND,
    SENT,
    ConversationFacets,
    sent_in_time,
)
from chat.review.staff import privacy
from chat.review.utc_days import ONE_DAY, end_of, start_of, today
from chat.web.http.query_params import query_of
from chat.web.review.http.facet_forms import (
    ANSWERS,
    FLAG_NAMES,
    SOURCE_NAMES,
    STATE_NAMES,
    FacetsForm,
)
from chat.web.review.search.answer_rows import answer_results
from chat.web.review.search.result_cursors import read_cursor, read_position, write_cursor

LIST_KEY = "review_list"  # session key of the last list that the staff member viewed
CASE_NAMES: dict[int, str] = {
    Case.State.OPEN: "open",
    Case.State.IN_WORK: "in_work",
    Case.State.RESOLVED: "resolved",
}


def search_context(request: HttpRequest, staff_context: StaffContext) -> dict[str, Any]:
    """Return the template context for the filters in the query, `?q=` and `?from=`."""
    form = FacetsForm(request.GET, staff_context.reviewer)
    query = query_of(request, FacetsForm.base_fields)
    context: dict[str, Any] = {
        "form": form,
        "query": query,
        "views": _views(staff_context),
        "starters": starters(),
        "is_first": not request.GET.get("from"),
        "is_narrowed": bool(query),
        "has_facets": any(not name.startswith("q=") for name in query.split("&") if name),
        "sees_names": privacy.sees_names(staff_context.reviewer),
    }
    if not form.is_valid():
        return context
    facets, text = facets_of_form(form, staff_context), form.cleaned_data["q"]
    begin = request.GET.get("from", "")
    by_answer = form.cleaned_data["show"] == ANSWERS
    if text:
        among = (
            answer_search.messages_of(staff_context.reviewer, facets)
            if by_answer
            else sent_in_time(facets)
        )
        if by_answer:  # these are the answer's then, not its chat's
            facets = answer_search.about_chats(facets)
        return context | _hits(staff_context, facets, text, begin, among) | {"text": text}
    results = answer_results if by_answer else _chats
    return context | results(staff_context, facets, form.cleaned_data["sort"], begin)


def starters() -> list[tuple[str, str]]:
    """Return searches that many begin with, by name and address."""
    yesterday = (today() - ONE_DAY).isoformat()
    bad = {"time": SENT, "since": yesterday, "until": yesterday, "rating": "bad", "show": ANSWERS}
    return [
        (_("Yesterday’s bad answers"), f"{reverse('review')}?{urlencode(bad)}"),
        (_("High severity, unassigned"), f"{reverse('review_queue')}?state=open&severity=3"),
        (_("Reported personal data"), f"{reverse('review_queue')}?reason=personal"),
        (_("Personal data"), f"{reverse('review')}?personal={ANY_KIND}"),
        (_("Phone numbers"), f"{reverse('review')}?personal={PersonalDataKind.PHONE}"),
    ]


def _views(staff_context: StaffContext) -> list[dict[str, Any]]:
    return [
        {
            "view": each,
            "is_own": each.owner_id == staff_context.reviewer.user_id,
            "query": each.query if _may_know(staff_context, each) else _without_query(each.query),
        }
        for each in saved_searches.searches_for(staff_context.reviewer)
    ]


def _may_know(staff_context: StaffContext, view: SavedSearch) -> bool:
    """Return True if the reviewer may see whose name or address a shared search looks for."""
    return view.owner_id == staff_context.reviewer.user_id or privacy.sees_names(
        staff_context.reviewer
    )


def _without_query(query: str) -> str:
    return urlencode([each for each in parse_qsl(query) if each[0] != "person"])


def facets_of_form(form: FacetsForm, staff_context: StaffContext) -> ConversationFacets:
    """Return the filters of a valid form."""
    values = form.cleaned_data
    people = (
        tuple(privacy.find_users(staff_context.reviewer, values["person"]))
        if values["person"]
        else None
    )
    return ConversationFacets(
        people=people,
        group=_id_of(values.get("group")),
        site=_id_of(values.get("site")),
        model=values["model"],
        time=values["time"],
        since=start_of(values["since"]) if values["since"] else None,
        until=end_of(values["until"]) if values["until"] else None,
        rating=values["rating"],
        state=values["state"],
        cost_usd=values["cost"],
        harm_percent=values["harm"],
        personal_data=values["personal"],
        language=values["language"],
        topic=values.get("topic", ""),
        unanswered_percent=values["unanswered"],
        is_noted=values["noted"],
        is_by_api=values["api"],
        flag=values["flag"],
    )


def _id_of(row: Any) -> int | None:
    return row.pk if row else None


def _chats(
    staff_context: StaffContext, facets: ConversationFacets, order: str, begin: str
) -> dict[str, Any]:
    reviewer = staff_context.reviewer
    all_stats, following = conversation_search.page(reviewer, facets, read_cursor(begin), order)
    titles = {
        each.pk: each
        for each in access.read_titles(staff_context, [stats.pk for stats in all_stats])
    }
    read = log_queries.already_read(reviewer.user_id, list(titles.values()))
    rows = [
        _row(staff_context, titles[stats.pk], stats) | {"is_read": stats.pk in read}
        for stats in all_stats
        if stats.pk in titles
    ]
    if facets and not (rows or begin):
        record_empty_search(staff_context)
    totals = None if begin else conversation_search.totals(reviewer, facets)
    return {"rows": rows, "next": write_cursor(following), "totals": totals}


def _row(
    staff_context: StaffContext, conversation: Any, stats: ConversationStats
) -> dict[str, Any]:
    names = stats.model_names.split()
    return {
        "conversation": conversation,
        "person": privacy.shown_user(staff_context.reviewer, conversation.owner),
        "stats": stats,
        "models": [name.rpartition("/")[2] for name in names],
        "states": [
            (name, STATE_NAMES[name])
            for name, state in conversation_search.STATES.items()
            if name != "complete" and stats.states & state
        ],
        "case": FLAG_NAMES[CASE_NAMES[stats.case_state]] if stats.case_state else "",
        "is_case_open": 0 < stats.case_state < Case.State.RESOLVED,
        "sources": [
            name
            for source, name in SOURCE_NAMES.items()
            if stats.flag_sources & source and source != Flag.Source.THUMB  # shown as a rating
        ],
    }


def _hits(
    staff_context: StaffContext,
    facets: ConversationFacets,
    text: str,
    begin: str,
    among: Any,
) -> dict[str, Any]:
    query = parse(text)
    result = conversation_search.search(
        staff_context.reviewer, query, facets, read_position(begin), among
    )
    hits = [
        {
            "message": each,
            "url": reverse("review_conversation", args=[each.conversation_id]),
            "pieces": snippet(each.text, query),
            "person": privacy.shown_user(staff_context.reviewer, each.conversation.owner),
        }
        for each in access.read_hits(staff_context, result.ids)
    ]
    if not (hits or begin or result.next):
        record_empty_search(staff_context)
    count = len(hits) if not begin and not result.next else None
    return {
        "hits": hits,
        "hit_count": count,
        "next": str(result.next or ""),
        "is_cut": result.is_cut,
    }
