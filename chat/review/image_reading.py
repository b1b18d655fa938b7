"""Give staff access to images of other people's questions, and log it, like access.py."""

from uuid import UUID

from django.db import transaction

from chat.conversations.images.image_access import image_in
from chat.conversations.images.models import MessageImage, StoredImage
from chat.review.access import conversation_for_action, reads_deleted
from chat.review.access_log.staff_context import Kind, Seen, StaffContext, record_access


@transaction.atomic
def read_image(staff_context: StaffContext, conversation_id: UUID, digest: str) -> StoredImage:
    """Return an image of a question, hidden or not. Raise `NotFound`."""
    conversation = conversation_for_action(staff_context, conversation_id)
    uses = MessageImage.objects.filter(message__conversation=conversation)
    if not (reads_deleted(staff_context.reviewer) and conversation.held_at):
        uses = uses.filter(message__deleted_at=None)
    image = image_in(uses, digest)
    message_id = uses.filter(image=image).values_list("message", flat=True).first()
    record_access(
        staff_context, Kind.READ, [Seen(conversation.owner_id, conversation.pk, message_id)]
    )
    return image
