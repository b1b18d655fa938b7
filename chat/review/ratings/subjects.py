"""Load what a rating is about: a chat, or one answer of it."""

from dataclasses import dataclass
from uuid import UUID

from django.db.models import Q

from chat.accounts.models import User
from chat.conversations.models import Conversation, Message
from chat.errors import NotFound
from chat.generations.models import Generation
from chat.review import access
from chat.review.access_log.staff_context import StaffContext
from chat.review.models import ConversationStats
from chat.review.ratings.rating_forms import RatedSubject
from chat.review.staff.roles import Reviewer
from chat.widget_sites.models import Visitor


@dataclass(frozen=True, slots=True)
class Subject:
    """A chat or answer that the staff member may review. `message_id` None: the whole chat."""

    conversation: Conversation
    message_id: int | None
    facts: RatedSubject


def subject_of(
    staff_context: StaffContext, conversation_id: UUID, message_id: int | None
) -> Subject:
    """Return what is to be rated. Raise `NotFound`. It shows no text, so nothing is logged."""
    conversation = access.conversation_for_action(staff_context, conversation_id)
    if message_id is not None:
        answers = conversation.visible_messages.filter(role=Message.Role.ASSISTANT)
        if not answers.filter(pk=message_id).exists():
            raise NotFound
    return Subject(conversation, message_id, facts_of(conversation, message_id))


def facts_of(conversation: Conversation, message_id: int | None) -> RatedSubject:
    owner_id = conversation.owner_id
    groups = User.groups.through.objects.filter(user=owner_id).values_list("group", flat=True)
    site = Visitor.objects.filter(user=owner_id).values_list("site", flat=True).first()
    return RatedSubject(
        owner_id, frozenset(groups), site, frozenset(_models(conversation, message_id))
    )


def _models(conversation: Conversation, message_id: int | None) -> list[str]:
    if message_id is None:
        stats = ConversationStats.objects.filter(pk=conversation.pk)
        return (stats.values_list("model_names", flat=True).first() or "").split()
    attempts = Generation.objects.filter(message=message_id).order_by("-started_at")
    return list(attempts.values_list("model", flat=True)[:1])


def rated_within(reviewer: Reviewer) -> Q:
    """Return the condition for ratings about people who were in the reviewer's scope then.

    It shows numbers of chats that may have been erased since, which no other condition could.
    """
    if reviewer.groups is None:
        return Q()
    within = Q(site__in=reviewer.sites)
    for group in reviewer.groups:
        within |= Q(groups__contains=f" {group} ")
    return within
