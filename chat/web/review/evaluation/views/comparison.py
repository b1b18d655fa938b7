"""Show two runs side by side, and let people vote who don't know which run wrote what."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods, require_safe

from chat.errors import NotFound
from chat.evaluation import access, comparison
from chat.review.access_log.staff_context import StaffContext
from chat.web.review.evaluation.presenters import comparison_context
from chat.web.review.evaluation.rights import evaluating
from chat.web.review.http.staff_access import number_in, posted_id, show


@require_safe
@evaluating
def compare(request: HttpRequest, staff_context: StaffContext, dataset_id: int) -> HttpResponse:
    """Show the two runs in the query, which a form has chosen."""
    dataset = access.dataset_of(dataset_id)
    one, other = number_in(request, "first"), number_in(request, "second")
    if one is None or other is None or one == other:
        return redirect("review_dataset", dataset.pk)
    pair = comparison.pair_of(dataset, one, other)
    context = comparison_context(staff_context, pair, number_in(request, "after"))
    return show(request, staff_context, "evaluation/comparison.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@evaluating
def vote(
    request: HttpRequest, staff_context: StaffContext, dataset_id: int, one: int, other: int
) -> HttpResponse:
    """Show the next two answers without names, or store a vote."""
    pair = comparison.pair_of(access.dataset_of(dataset_id), one, other)
    if request.method == "POST":
        item_id = posted_id(request, "item")
        if item_id is None:
            raise NotFound
        comparison.vote(staff_context, pair, item_id, request.POST.get("choice", ""))
        return redirect("review_blind_vote", dataset_id, pair.first.pk, pair.second.pk)
    waiting = comparison.waiting_items(staff_context, pair)
    shown = comparison.read_pair(staff_context, pair, waiting[0]) if waiting else None
    context = {
        "dataset": pair.dataset,
        "pair": pair,
        "shown": shown,
        "waiting": len(waiting),
    }
    return show(request, staff_context, "evaluation/vote.html", context)
