"""Log staff requests that were denied.

The denied request's transaction is rolled back, so this uses another one after it.
"""

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from chat.conversations.models import Conversation
from chat.errors import NotFound
from chat.review import access
from chat.review.access_log.staff_context import Kind, Seen, StaffContext, record_access
from chat.review.case_models import Case
from chat.review.case_reading import is_erased_with_case
from chat.review.models import StaffNote
from chat.review.moderation.widget_site_suspension import site_of
from chat.review.staff import privacy
from chat.widget_sites.models import WidgetSite


def record_denied(staff_context: StaffContext, *places: Mapping[str, Any]) -> None:
    """Log each access to a place (by URL parameters) that is outside the reader's scope.

    Requests for something that does not exist are not logged.
    """
    if seen := list(filter(None, (_refused(staff_context, each) for each in places))):
        with transaction.atomic():
            record_access(staff_context, Kind.REFUSED, seen)


def _refused(staff_context: StaffContext, place: Mapping[str, Any]) -> Seen | None:
    if "conversation_id" in place:
        return _conversation(staff_context, place["conversation_id"])
    if "case_id" in place:
        case = Case.objects.filter(pk=place["case_id"]).first()
        return _conversation(staff_context, case.chat_id) if case else None
    if "note_id" in place:
        note = StaffNote.objects.filter(pk=place["note_id"]).first()
        return _conversation(staff_context, note.conversation_id) if note else None
    return _user_or_site(staff_context, place["key"]) if "key" in place else None


def _conversation(staff_context: StaffContext, conversation_id: Any) -> Seen | None:
    conversation = Conversation.all_objects.filter(pk=conversation_id).first()
    if conversation is None:
        return _erased(staff_context, conversation_id)
    if access.exists(staff_context, conversation.pk):
        return None
    return Seen(conversation.owner_id, conversation.pk)


def _erased(staff_context: StaffContext, conversation_id: Any) -> Seen | None:
    case = Case.objects.filter(former_conversation=conversation_id).first()
    if case is None or is_erased_with_case(staff_context, conversation_id):
        return None
    return Seen(case.owner_id, case.chat_id)


def _user_or_site(staff_context: StaffContext, key: str) -> Seen | None:
    site = WidgetSite.objects.filter(key=key).first()
    if site is None:
        user = privacy.find_by_key_in_any_scope(staff_context.reviewer, key)
        is_refused = user is not None and privacy.find_by_key(staff_context.reviewer, key) is None
        return Seen(user.pk) if user and is_refused else None
    try:
        site_of(staff_context, key)
    except NotFound:
        return Seen(site.owner_id)
    return None
