"""Show a chat, or one answer, on a page to print or to save as a PDF, which browsers do well."""

import uuid

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from chat.conversations import access
from chat.conversations.models import Conversation
from chat.errors import BadRequest, CannotShare
from chat.import_export.exported_turns import answer_of
from chat.sharing.snapshot import SharedBranch, branch_of, snapshot_turns
from chat.web.http.js_catalog import catalog
from chat.web.http.query_params import message_number
from chat.web.http.shared_limits import require_rate
from chat.web.http.typed_requests import MemberRequest
from chat.web.messages.presenters import for_shared_reader

PAGES_PER_MINUTE = 20  # each may have a million characters


@require_safe
@never_cache
@login_required
def show(request: MemberRequest, conversation_id: uuid.UUID) -> HttpResponse:
    """Show the branch used last without controls; with `?message=`, only that answer."""
    conversation = access.conversation_of(request.user.pk, conversation_id)
    require_rate("printing", str(request.user.pk), PAGES_PER_MINUTE)
    number = message_number(request.GET.get("message"))
    answer_id = answer_of(conversation, number).pk if number is not None else None
    turns = snapshot_turns(_branch(conversation, answer_id), with_reasoning=False, with_models=True)
    shown = [for_shared_reader(turn) for turn in turns]
    context = {
        "conversation": conversation,
        "turns": shown if answer_id is None else shown[-2:],  # with its question, which is left out
        "answer_id": answer_id,
        "js_catalog": catalog(),
    }
    return render(request, "chat/printing.html", context)


def _branch(conversation: Conversation, answer_id: int | None) -> SharedBranch:
    """Return what a link to this chat would show. Raise `BadRequest` if it is too much."""
    try:
        branch = branch_of(conversation, answer_id)
    except CannotShare as error:
        words = _("This chat is too long to print, or has no answer yet.")
        raise BadRequest(words) from error
    if answer_id is not None and (branch.last is None or branch.last.pk != answer_id):
        raise BadRequest(_("This answer isn't complete yet."))
    return branch
