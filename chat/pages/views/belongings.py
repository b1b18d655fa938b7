"""What somebody owns here, as files: taking it along, and bringing it."""

import uuid

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from chat.accounts.models import User
from chat.accounts.principals import principal_of
from chat.belongings import reading, storing
from chat.belongings.everything import everything_of
from chat.belongings.file_names import file_name
from chat.belongings.markdown import conversation_markdown
from chat.belongings.writing import conversation_json
from chat.conversations import access
from chat.errors import BadRequest, NotFound
from chat.pages.belongings_forms import ImportForm
from chat.pages.downloads import download
from chat.relay import threads

KINDS = {
    "json": (conversation_json, "application/json"),
    "md": (conversation_markdown, "text/markdown; charset=utf-8"),
}


@require_safe
@login_required
async def export(
    request: HttpRequest, conversation_id: uuid.UUID, kind: str
) -> StreamingHttpResponse:
    """One conversation: to be read (`md`), or to be brought elsewhere (`json`)."""
    if kind not in KINDS:
        raise NotFound
    principal = await principal_of(request)
    conversation = await threads.readers.run(
        access.conversation_of, principal.user_id, conversation_id
    )
    write, content_type = KINDS[kind]
    name = f"{file_name(conversation.title, 'chat')}.{kind}"
    return download(write(conversation), name, content_type)


@require_safe
@login_required
async def export_everything(request: HttpRequest) -> StreamingHttpResponse:
    principal = await principal_of(request)
    user = await threads.readers.run(User.objects.get, pk=principal.user_id)
    name = f"{file_name(settings.SITE_NAME, 'chat')} {timezone.localdate():%Y-%m-%d}.zip"
    return download(everything_of(user), name, "application/zip")


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def bring(request: HttpRequest) -> HttpResponse:
    """Imports what was exported here, or from another Runnel."""
    if request.method != "POST":
        # What is far too long was not even read: project/body_limit.py
        problem = str(reading.TOO_LARGE) if "too_long" in request.GET else ""
        return _form(request, ImportForm(), problem)
    form = ImportForm(request.POST, request.FILES)
    if not form.is_valid():
        return _form(request, form)
    file = form.cleaned_data["file"]
    try:
        reading.check(file)
        count = storing.store(_user_id(request), reading.conversations_in(file))
    except BadRequest as refusal:
        return _form(request, form, refusal.public)
    said = ngettext("{count} chat was imported.", "{count} chats were imported.", count)
    messages.success(request, said.format(count=count))
    return redirect("chat")


def _form(request: HttpRequest, form: ImportForm, problem: str = "") -> HttpResponse:
    context = {"form": form, "problem": problem, "most_bytes": settings.MAX_IMPORT_BYTES}
    status = 422 if problem or form.errors else 200
    return render(request, "settings/import.html", context, status=status)


def _user_id(request: HttpRequest) -> int:
    assert isinstance(request.user, User)  # noqa: S101  (login_required)
    return request.user.pk
