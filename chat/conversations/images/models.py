"""Images and other files of questions, and the messages they are attached to."""

from typing import Self

from django.db import models
from django.utils import timezone

from chat.accounts.models import User
from chat.conversations.models import Message

#: The kind of a file that isn't an image: it is only ever saved, never shown.
FILE = "file"


class StoredImageQuerySet(models.QuerySet["StoredImage"]):
    def images(self) -> Self:
        return self.exclude(kind=FILE)

    def files(self) -> Self:
        return self.filter(kind=FILE)


class StoredImage(models.Model):
    """An image of one owner, or the original of a file whose text a question has.

    The texts of messages name it by a digest of its bytes. So texts need no change in a copy, an
    export or an import: each owner has a row of their own. (The model is named after what it
    was first for, because a table is never renamed.)
    """

    owner = models.ForeignKey(User, on_delete=models.CASCADE, related_name="images")
    digest = models.CharField(max_length=32)
    # A key of chat.lib.pictures.picture_format.CONTENT_TYPES, or `FILE`.
    kind = models.CharField(max_length=4)
    width = models.PositiveIntegerField()
    height = models.PositiveIntegerField()
    size_bytes = models.PositiveIntegerField()
    # When it was uploaded for a message that is not sent yet; null once it is.
    unsent_since = models.DateTimeField(null=True, default=timezone.now)
    content = models.BinaryField()  # last, so that databases need not read it for the rest

    objects = StoredImageQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["owner", "digest"], name="one_image_per_digest")
        ]
        indexes = [
            models.Index(
                fields=["unsent_since"],
                condition=models.Q(unsent_since__isnull=False),
                name="unsent_images",
            )
        ]

    def __str__(self) -> str:
        return f"image {self.pk}"


class MessageImage(models.Model):
    """An image or file that a message has. Without any, it is removed."""

    message = models.ForeignKey(Message, on_delete=models.CASCADE, related_name="message_images")
    image = models.ForeignKey(StoredImage, on_delete=models.CASCADE, related_name="uses")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["message", "image"], name="one_use_per_message")
        ]

    def __str__(self) -> str:
        return f"image {self.image_id} of message {self.message_id}"
