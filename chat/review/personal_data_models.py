"""Which kinds of personal data messages have: how many values of each, never a value."""

from collections.abc import Collection

from django.db import models
from django.utils.translation import gettext_lazy as _

from chat.conversations.models import Message
from chat.lib.personal_data.kinds import PersonalDataKind

#: Of the kinds, for people.
KIND_LABELS = {
    PersonalDataKind.EMAIL: _("email address"),
    PersonalDataKind.PHONE: _("phone number"),
    PersonalDataKind.IBAN: _("bank account (IBAN)"),
    PersonalDataKind.CARD: _("payment card"),
    PersonalDataKind.NATIONAL_ID: _("national ID number"),
}
KIND_LENGTH = 10


class MessagePersonalData(models.Model):
    """That a message has values of one kind, in the text it had when it was looked at last."""

    message = models.ForeignKey(Message, on_delete=models.CASCADE, related_name="personal_data")
    kind = models.CharField(max_length=KIND_LENGTH)  # a PersonalDataKind
    count = models.IntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["message", "kind"], name="one_row_of_a_kind")
        ]
        indexes = [models.Index(fields=["kind", "message"], name="personal_data_by_kind")]

    def __str__(self) -> str:
        return f"{self.kind} in message {self.message_id}"


class PersonalDataScan(models.Model):
    """How far past messages have been looked at; one row, none before the first time."""

    region = models.CharField(max_length=2)  # of the phone numbers that were looked for
    version = models.SmallIntegerField(default=0, db_default=0)  # of what is looked for
    # Messages with a lower ID are still to be looked at. None: there are none left.
    before = models.BigIntegerField(null=True)

    def __str__(self) -> str:
        return f"messages before {self.before}"


def kinds_of(ids: Collection[int]) -> dict[int, dict[str, int]]:
    """Return how many values of each kind these messages have, without those that have none."""
    kinds: dict[int, dict[str, int]] = {}
    rows = MessagePersonalData.objects.filter(message__in=ids).order_by("message", "kind")
    for message_id, kind, count in rows.values_list("message", "kind", "count"):
        kinds.setdefault(message_id, {})[kind] = count
    return kinds
