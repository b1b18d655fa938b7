"""Export a user's conversations as files, and import them."""

import asyncio
import io
import uuid
from pathlib import Path
from typing import IO, Any

from asgiref.sync import sync_to_async
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.files.uploadedfile import TemporaryUploadedFile, UploadedFile
from django.http import HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from chat.accounts.models import User
from chat.accounts.principals import Principal, principal_of
from chat.conversations import access
from chat.conversations.retention import expiry, periods
from chat.database import threads
from chat.errors import BadRequest, Conflict, NotFound
from chat.import_export import import_reader
from chat.import_export.docx.document import conversation_docx
from chat.import_export.export_archive import export_archive
from chat.import_export.export_writer import conversation_json
from chat.import_export.exported_turns import answer_of
from chat.import_export.file_names import file_name
from chat.import_export.import_report import ImportReport
from chat.import_export.markdown import conversation_markdown
from chat.site_settings import effective
from chat.web.http.files.downloads import download
from chat.web.http.query_params import message_number
from chat.web.http.shared_limits import arequire_rate
from chat.web.http.typed_requests import MemberRequest
from chat.web.import_export import presenters
from chat.web.import_export.forms import ImportForm
from chat.web.import_export.progress import RunningImport

EXPORTS_PER_MINUTE = 20
EVENT_STREAM = "text/event-stream"

WRITERS = {"json": conversation_json, "md": conversation_markdown, "docx": conversation_docx}


@require_safe
@login_required
async def export(
    request: HttpRequest, conversation_id: uuid.UUID, kind: str
) -> StreamingHttpResponse:
    """Export one conversation: importable JSON, Markdown, or a document (`docx`).

    A document of one answer only has `?message=` in its address.
    """
    if kind not in WRITERS:
        raise NotFound
    principal = await principal_of(request)
    await _require_pace(principal)
    conversation = await threads.readers.run(
        access.conversation_of, principal.user_id, conversation_id
    )
    name = f"{file_name(conversation.title, 'chat')}.{kind}"
    number = message_number(request.GET.get("message"))
    if kind == "docx" and number is not None:
        answer = await threads.readers.run(answer_of, conversation, number)
        return download(conversation_docx(conversation, answer.pk), name, principal)
    return download(WRITERS[kind](conversation), name, principal)


@require_safe
@login_required
async def export_everything(request: HttpRequest) -> StreamingHttpResponse:
    principal = await principal_of(request)
    await _require_pace(principal)
    user = await threads.readers.run(User.objects.get, pk=principal.user_id)
    name = f"{file_name(effective.site_name(), 'chat')} {timezone.localdate():%Y-%m-%d}.zip"
    return download(export_archive(user), name, principal)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
async def import_chats(request: MemberRequest) -> HttpResponse | StreamingHttpResponse:
    """Import files that were exported from Runnel or another program.

    A script that asks for an event stream is told how far it is (import_export/progress.py).
    """
    principal = await principal_of(request)
    form = await sync_to_async(_sent_form)(request)  # parses the body, which may be long
    if not form.is_bound or not form.is_valid():
        # Bodies far over the limit were not read at all: project/asgi/guards/body_guard.py
        problem = str(import_reader.TOO_LARGE) if "too_long" in request.GET else ""
        return await _form(request, form, problem)
    sent = form.cleaned_data["file"]
    files = await asyncio.to_thread(lambda: [_own_handle(each) for each in sent])
    running = RunningImport(principal.user_id, files)
    try:
        await running.checked()
        if _wants_events(request):
            return _stream(running)
        report = await running.finished()
    except (BadRequest, Conflict) as refusal:
        return await _form(request, form, refusal.public)
    await sync_to_async(_add_messages)(request, report)
    return redirect("chat")


def _wants_events(request: HttpRequest) -> bool:
    return request.headers.get("Accept") == EVENT_STREAM


def _stream(running: RunningImport) -> StreamingHttpResponse:
    # Like the stream of an answer: chat/generations/delivery/responses.py
    headers = {"Cache-Control": "no-store, no-transform", "X-Accel-Buffering": "no"}
    return StreamingHttpResponse(running.events(), content_type=EVENT_STREAM, headers=headers)


def _add_messages(request: HttpRequest, report: ImportReport) -> None:
    messages.success(request, presenters.summary(report))
    for notice in presenters.notices(report):
        messages.warning(request, notice)


async def _require_pace(principal: Principal) -> None:
    await arequire_rate("exports", principal.key, EXPORTS_PER_MINUTE)


def _own_handle(sent: "UploadedFile[Any]") -> IO[bytes]:
    """Return another handle of the file, because the request closes its own when it ends."""
    if isinstance(sent, TemporaryUploadedFile):
        return Path(sent.temporary_file_path()).open("rb")
    return io.BytesIO(sent.read())


def _sent_form(request: HttpRequest) -> ImportForm:
    return ImportForm(request.POST, request.FILES) if request.method == "POST" else ImportForm()


@sync_to_async
def _form(request: MemberRequest, form: ImportForm, problem: str = "") -> HttpResponse:
    """Return the form with what is wrong, or for a script only what is wrong."""
    if request.method == "POST" and _wants_events(request):
        words = problem or " ".join(map(str, form.errors.get("file", [])))
        return JsonResponse({"problem": words}, status=422)
    days = periods.period_of(request.user)
    context = {
        "form": form,
        "problem": problem,
        "most_bytes": settings.MAX_IMPORT_BYTES,
        "retention_days": days,
        "deleted_on": expiry.earliest_deletion(days) if days else None,
    }
    status = 422 if problem or form.errors else 200
    return render(request, "settings/import.html", context, status=status)
