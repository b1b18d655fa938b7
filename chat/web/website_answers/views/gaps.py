"""Let a website's owners see what visitors asked in vain, and answer it."""

from typing import Any

from asgiref.sync import sync_to_async
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from chat.accounts.models import User
from chat.accounts.principals import principal_of
from chat.inbox.team_access import Inbox
from chat.lib.text import one_line
from chat.web.http.shared_limits import arequire_rate
from chat.web.http.typed_requests import MemberRequest
from chat.web.website_answers import presenters
from chat.web.website_answers.forms import SnippetForm
from chat.web.website_answers.owners import for_owners, owners_inbox
from chat.website_answers import drafts, gaps
from chat.website_answers.drafts import Draft
from chat.website_answers.gaps import ListedGap
from chat.website_answers.grouping import QUESTION_CHARACTERS, question_in
from chat.website_answers.models import ANSWER_LENGTH, QUESTION_LENGTH, Gap

DRAFTS_PER_MINUTE = 20


@require_safe
@for_owners
def show_all(request: MemberRequest, inbox: Inbox) -> HttpResponse:
    shown = {"site": inbox.site, "gaps": gaps.listed(inbox)}
    return render(request, "sites/answers/gaps.html", shown)


@require_POST
@never_cache
@login_required
async def draft(request: MemberRequest, key: str, gap_id: int) -> HttpResponse:
    """Show a draft: what the team replied to a visitor, or else what a model writes."""
    principal = await principal_of(request)
    inbox, gap = await sync_to_async(_read)(principal.user_id, key, gap_id)
    question = one_line(question_in(gap.wordings[0].text))
    if gap.replies:
        drafted = Draft(gap.replies[0].text[:ANSWER_LENGTH])
    else:
        await arequire_rate("answer_drafts", principal.key, DRAFTS_PER_MINUTE)
        drafted = await drafts.draft(principal, inbox.site, question[:QUESTION_CHARACTERS])
    form = SnippetForm(
        initial={
            "question": question[:QUESTION_LENGTH],
            "answer": drafted.text,
            "is_for_team": drafted.is_for_team,
        }
    )
    return await sync_to_async(_page)(request, inbox, gap, form, drafted=drafted)


@require_POST
@for_owners
def answer(request: MemberRequest, inbox: Inbox, gap_id: int) -> HttpResponse:
    """Store the answer, and close the gap."""
    gap = gaps.gap_of(inbox.site, gap_id)
    form = SnippetForm(request.POST)
    if form.is_valid() and _save(request, inbox, gap, form):
        messages.success(request, _("Saved. The chat uses it within seconds."))
        return redirect("site_gaps", inbox.site.key)
    return _page(request, inbox, gaps.listed_gap(inbox, gap_id), form, 422)


@require_POST
@for_owners
def dismissal(request: MemberRequest, inbox: Inbox, gap_id: int) -> HttpResponse:
    """Take a gap off the list for good, with later questions of its meaning."""
    gaps.close(gaps.gap_of(inbox.site, gap_id), None)
    messages.success(request, _("Dismissed."))
    return redirect("site_gaps", inbox.site.key)


@transaction.atomic
def _save(request: MemberRequest, inbox: Inbox, gap: Gap, form: SnippetForm) -> bool:
    snippet = form.save(inbox.site, request.user)
    if snippet:
        gaps.close(gap, snippet)
    return snippet is not None


def _read(user_id: int, key: str, gap_id: int) -> tuple[Inbox, ListedGap]:
    inbox = owners_inbox(User.objects.get(pk=user_id), key)
    return inbox, gaps.listed_gap(inbox, gap_id)


def _page(
    request: MemberRequest,
    inbox: Inbox,
    gap: ListedGap,
    form: SnippetForm,
    status: int = 200,
    drafted: Draft | None = None,
) -> HttpResponse:
    drafted = drafted or Draft()
    shown: dict[str, Any] = {
        "site": inbox.site,
        "gap": gap,
        "form": form,
        "contradictions": presenters.pairs_of(request.user.pk, inbox.site, drafted.contradictions),
        "is_draft_for_team": drafted.is_for_team,
    }
    return render(request, "sites/answers/gap.html", shown, status=status)
