"""Report an answer or a whole chat to the people who run the site."""

import uuid
from typing import Literal

import msgspec
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from chat.accounts.principals import principal_of
from chat.conversations import access
from chat.conversations.models import Message
from chat.database import threads
from chat.errors import BadRequest
from chat.review.case_models import WORDS_LENGTH
from chat.review.cases import flags
from chat.review.staff import privacy
from chat.web.http.json_body import read_small_json
from chat.web.http.origin import require_json
from chat.web.http.shared_limits import require_rate

REPORTS_PER_MINUTE = 10


class Report(msgspec.Struct):
    reason: Literal["harmful", "hateful", "personal", "wrong", "other"]
    comment: str = ""


def read_report(body: bytes) -> Report:
    report = read_small_json(body, Report)
    report.comment = report.comment.strip()
    if len(report.comment) > WORDS_LENGTH:
        words = _("This has {length} characters. The limit is {most}. Shorten it.")
        length, most = (
            number_format(each, force_grouping=True) for each in (len(report.comment), WORDS_LENGTH)
        )
        raise BadRequest(words.format(length=length, most=most))
    return report


@require_safe
@never_cache
@login_required
def report_form(request: HttpRequest) -> HttpResponse:
    """Show the form, which the chat page fetches on first use; 404 if nobody reads reports."""
    if not privacy.is_reading_allowed():
        raise Http404
    return render(request, "chat/_report_form.html")


@require_POST
async def report(
    request: HttpRequest, conversation_id: uuid.UUID, message_id: int | None = None
) -> JsonResponse:
    """Report the answer, or the whole chat if there is no `message_id`."""
    require_json(request)
    principal = await principal_of(request)
    sent_report = read_report(request.body)
    await threads.writer.run(_report, principal.user_id, conversation_id, message_id, sent_report)
    return JsonResponse({"reported": True}, status=201)


def _report(
    user_id: int, conversation_id: uuid.UUID, message_id: int | None, sent_report: Report
) -> None:
    conversation = access.conversation_of(user_id, conversation_id)
    message = access.message_of(conversation, message_id) if message_id is not None else None
    if message and message.role != Message.Role.ASSISTANT:
        raise BadRequest(_("You can only report answers."))
    require_rate("reports", str(user_id), REPORTS_PER_MINUTE)
    flags.report(conversation.pk, message, user_id, sent_report.reason, sent_report.comment)
