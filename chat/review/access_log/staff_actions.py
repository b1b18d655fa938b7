"""Log what staff did: to whom, to what, when and why, but never message text.

Call `record_action` in the transaction of the action, so that both are stored or neither.
"""

from typing import TypedDict, Unpack
from uuid import UUID

from django.db import connection, models
from django.utils.translation import gettext_lazy as _

from chat.accounts import actor
from chat.review.access_log.staff_context import StaffContext
from chat.review.append_only import SealedRow
from chat.review.models import DETAIL_LENGTH, REASON_LENGTH


class About(TypedDict, total=False):
    """The subject of an action. `detail` is short and never message text, such as an end date."""

    person: int | None
    conversation: UUID | None
    message: int | None
    site: int | None
    detail: str


class StaffAction(SealedRow):
    """One action of a staff member. It holds IDs, not foreign keys, and so outlives its subjects.

    `kind` has no choices in the database, so a new kind needs no migration.
    """

    class Kind(models.TextChoices):
        HIDDEN = "hidden", _("hid a message")
        SHOWN = "shown", _("unhid a message")
        CLOSED = "closed", _("closed a chat")
        REOPENED = "reopened", _("reopened a chat")
        STOPPED = "stopped", _("stopped an answer")
        TAKEN_OVER = "taken_over", _("took over a chat")
        HANDED_BACK = "handed_back", _("handed a chat back")
        CHAT_ASSIGNED = "chat_assigned", _("assigned a visitor's chat")
        CHAT_STATE_SET = "chat_state_set", _("opened, snoozed or closed a visitor's chat")
        HELD = "held", _("placed a chat on legal hold")
        RELEASED = "released", _("lifted the legal hold on a chat")
        RESOLVED = "resolved", _("resolved a case")
        CASE_REOPENED = "case_reopened", _("reopened a case")
        ASSIGNED = "assigned", _("assigned a case")
        RULES_CHANGED = "rules_changed", _("changed the rules")
        QUESTION_REFUSED = "question_refused", _("refused a question")
        RULE_WITHDRAWN = "rule_withdrawn", _("withdrew a rule")
        RATED = "rated", _("rated a chat or answer")
        FORMS_CHANGED = "forms_changed", _("changed the rating forms")
        WARNED = "warned", _("warned a user")
        UNWARNED = "unwarned", _("withdrew a warning")
        SUSPENDED = "suspended", _("suspended a user or website")
        RESTORED = "restored", _("reinstated a user or website")
        LIMITED = "limited", _("set a limit")
        FREED = "freed", _("removed a limit")
        INVITED = "invited", _("invited a user")
        APPROVED = "approved", _("approved a user")
        REFUSED = "refused", _("rejected a user")
        RESET = "reset", _("requested a password reset")
        ADDRESS_CHANGED = "address_changed", _("changed a user's email address")
        ACCOUNT_MADE = "account_made", _("created an account")
        ACCOUNT_DELETED = "account_deleted", _("deleted an account")
        DATA_REQUESTED = "data_requested", _("recorded a request for personal data")
        DATA_EXPORTED = "data_exported", _("exported a person's record")
        DATA_DECLINED = "data_declined", _("declined a request for personal data")
        SITE_DELETED = "site_deleted", _("deleted a website")
        LINK_REVOKED = "link_revoked", _("revoked a shared link")
        SERVICE_KEY_CREATED = "service_key_created", _("created a service key")
        API_KEY_REVOKED = "api_key_revoked", _("revoked an API key")
        SESSIONS_ENDED = "sessions_ended", _("signed a user out everywhere")
        RIGHTS_CHANGED = "rights_changed", _("changed permissions")
        SCOPE_CHANGED = "scope_changed", _("changed a reviewer's scope")
        GROUP_CHANGED = "group_changed", _("changed a group")
        ACCESS_CHANGED = "access_changed", _("changed a group's access")
        RETENTION_CHANGED = "retention_changed", _("changed how long chats are kept")
        QUOTA_CHANGED = "quota_changed", _("changed limits")
        MODELS_CHANGED = "models_changed", _("changed the models")
        SITE_CHANGED = "site_changed", _("changed the site settings")
        DATASET_CHANGED = "dataset_changed", _("changed a dataset")
        TURN_COPIED = "turn_copied", _("copied a turn into a dataset")
        MODELS_EVALUATED = "models_evaluated", _("started an evaluation run")

    actor = models.BigIntegerField()
    kind = models.CharField(max_length=20)
    person = models.BigIntegerField(null=True)
    conversation = models.UUIDField(null=True)
    message = models.BigIntegerField(null=True)
    site = models.BigIntegerField(null=True)
    reason = models.CharField(max_length=REASON_LENGTH, blank=True)
    detail = models.CharField(max_length=DETAIL_LENGTH, blank=True)

    class Meta:
        verbose_name = _("staff action")
        verbose_name_plural = _("staff actions")
        indexes = [
            models.Index(fields=["at"], name="staff_actions_by_time"),
            models.Index(fields=["person", "-id"], name="staff_actions_by_person"),
            models.Index(fields=["actor", "-id"], name="staff_actions_by_actor"),
            models.Index(fields=["conversation"], name="staff_actions_by_conversation"),
            models.Index(fields=["site", "-id"], name="staff_actions_by_site"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"


def record_action(
    staff_context: StaffContext, kind: StaffAction.Kind, **about: Unpack[About]
) -> StaffAction:
    """Log an action. Raise `RuntimeError` outside the transaction of the action."""
    return add(staff_context.reviewer.user_id, staff_context.reason, kind, **about)


def record_current_action(kind: StaffAction.Kind, **about: Unpack[About]) -> StaffAction:
    """Log an action of the current actor (chat/accounts/actor.py)."""
    who = actor.current()
    return add(who.user_id, who.reason, kind, **about)


def add(actor_id: int, reason: str, kind: StaffAction.Kind, **about: Unpack[About]) -> StaffAction:
    """Log an action of the user with this ID; `actor.SERVER` stands for the server."""
    if not connection.in_atomic_block:
        raise RuntimeError("what the staff does is recorded in one transaction with it")
    about["detail"] = about.get("detail", "")[:DETAIL_LENGTH]
    return StaffAction.objects.create(
        actor=actor_id, kind=kind, reason=reason[:REASON_LENGTH], **about
    )
