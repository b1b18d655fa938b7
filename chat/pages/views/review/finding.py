"""The staff finds and reads what was said. Each page gets a `Look`; what it shows is recorded."""

import uuid

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from chat.errors import BadRequest, NotFound
from chat.pages.review_forms import NoteForm, ReasonForm, ViewForm
from chat.pages.review_list import page_of_review
from chat.pages.review_reading import shown_reading
from chat.pages.review_record import page_of_record
from chat.pages.reviewing import for_staff, keep_reason, last_reason
from chat.review import access, views
from chat.review.audit import Look
from chat.review.notes import add_note, remove_note
from chat.review.roles import Role

LIST = "review_list"  # in the session: the list that they came from


@require_http_methods(["GET", "HEAD", "POST"])
@for_staff(with_reason=False)
def reason(request: HttpRequest, look: Look) -> HttpResponse:
    """Why they look; then on to what they wanted."""
    wanted = request.POST.get("next") or request.GET.get("next", "")
    if not url_has_allowed_host_and_scheme(wanted, allowed_hosts=None):
        wanted = "/review/"
    if request.method == "POST":
        form = ReasonForm(request.POST)
        if form.is_valid():
            keep_reason(request, form.cleaned_data["reason"])
            return redirect(wanted)
    else:
        form = ReasonForm(initial={"reason": last_reason(request)})
    status = 422 if form.errors else 200
    return render(request, "review/reason.html", {"form": form, "next": wanted}, status=status)


@require_safe
@for_staff()
def show_list(request: HttpRequest, look: Look) -> HttpResponse:
    context = page_of_review(request, look)
    request.session[LIST] = context["query"]
    context |= _about(look) | {"view_form": ViewForm(initial={"query": context["query"]})}
    status = 422 if context["form"].errors else 200
    return render(request, "review/list.html", context, status=status)


@require_safe
@for_staff()
def read(request: HttpRequest, look: Look, conversation_id: uuid.UUID) -> HttpResponse:
    """A stretch of one branch: its end, or around `?at=`, or what led to `?before=`."""
    before, at = (_number(request, name) for name in ("before", "at"))
    return _reading(request, look, conversation_id, NoteForm(), before=before, at=at)


@require_POST
@for_staff()
def note(request: HttpRequest, look: Look, conversation_id: uuid.UUID) -> HttpResponse:
    """Adds a note, and shows the conversation again."""
    form = NoteForm(request.POST)
    if not form.is_valid():
        return _reading(request, look, conversation_id, form, status=422)
    add_note(look, conversation_id, form.cleaned_data["text"])
    return redirect("review_conversation", conversation_id)


@require_POST
@for_staff()
def note_deletion(request: HttpRequest, look: Look, note_id: int) -> HttpResponse:
    return redirect("review_conversation", remove_note(look, note_id))


@require_POST
@for_staff(with_reason=False)
def save_view(request: HttpRequest, look: Look) -> HttpResponse:
    """Keeps the list as it is under a name."""
    form = ViewForm(request.POST)
    query = request.POST.get("query", "")
    if form.is_valid():
        data = form.cleaned_data
        views.save(look.reviewer, data["name"], data["query"], is_shared=data["is_shared"])
        messages.success(request, _("The view is saved."))
    else:
        messages.error(request, " ".join(str(each[0]) for each in form.errors.values()))
    return redirect(f"/review/?{query}")


@require_POST
@for_staff(with_reason=False)
def view_deletion(request: HttpRequest, look: Look, view_id: int) -> HttpResponse:
    views.remove(look.reviewer, view_id)
    messages.success(request, _("The view is gone."))
    return redirect("review")


@require_safe
@for_staff(Role.LEAD, with_reason=False)
def show_record(request: HttpRequest, look: Look) -> HttpResponse:
    """Who looked at what. It holds no word of what was said, so no look at it is recorded."""
    before, reader = (_number(request, name) for name in ("before", "reader"))
    only_opened = "opened" in request.GET
    context = page_of_record(look, before=before, reader=reader, only_opened=only_opened)
    return render(request, "review/record.html", context | _about(look))


def _reading(
    request: HttpRequest,
    look: Look,
    conversation_id: uuid.UUID,
    form: NoteForm,
    *,
    before: int | None = None,
    at: int | None = None,
    status: int = 200,
) -> HttpResponse:
    reading = access.reading(look, conversation_id, before=before, at=at)
    context = shown_reading(look, reading) | _about(look)
    context |= {"form": form, "found": at, "list": request.session.get(LIST, "")}
    return render(request, "review/conversation.html", context, status=status)


def _about(look: Look) -> dict[str, object]:
    """What each page says of whoever looks."""
    return {"look": look, "leads": look.reviewer.role >= Role.LEAD}


def _number(request: HttpRequest, name: str) -> int | None:
    text = request.GET.get(name, "")
    if not text:
        return None
    if not (text.isascii() and text.isdigit()):
        raise BadRequest
    if len(text) > 18:
        raise NotFound
    return int(text)
