"""Require a reason for changes in the admin, and name the actor in the log.

The code that logs reads the current actor (chat/accounts/actor.py), so admin pages only need to set
it around what they save.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.helpers import ActionForm
from django.core.exceptions import ValidationError
from django.forms import CharField
from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils.translation import gettext_lazy as _

from chat.accounts import actor
from chat.lib.generic_django import AnyModelAdmin, AnyModelForm
from chat.review.models import REASON_LENGTH
from chat.web.review.http.reason_fields import ActionReasonForm, ReasonField, require_few_words


class ReasonModelForm(AnyModelForm):
    """A model form that also asks for a reason."""

    reason = ReasonField(help_text=_("Recorded with this action."))


class ReasonedActionForm(ActionForm):
    """The list's action form with a reason; `ActAdmin.reason_of_action` validates it."""

    reason = CharField(required=False, max_length=REASON_LENGTH, label=_("Reason"))


class ReasonedAdmin(AnyModelAdmin):
    """Require a reason to add, change and delete. Bulk deletion is disabled."""

    form = ReasonModelForm
    action_form = ReasonedActionForm
    delete_confirmation_template = "admin/deletion_with_reason.html"

    def get_fields(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        return with_reason(self, request, obj, list(super().get_fields(request, obj)))

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """Remove the bulk deletion, which asks for no reason."""
        actions: dict[str, Any] = super().get_actions(request)
        actions.pop("delete_selected", None)
        return actions

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        with attributed_to_user(request, form.cleaned_data["reason"]):
            super().save_model(request, obj, form, change)

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        with attributed_to_user(request, form.cleaned_data["reason"]):
            super().save_related(request, form, formsets, change)

    def delete_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        form = ActionReasonForm(request.POST if request.method == "POST" else None)
        context = {"reason_form": form} | (extra_context or {})
        if not form.is_valid():
            request.POST = QueryDict()  # not confirmed without a reason
            return super().delete_view(request, object_id, context)
        with attributed_to_user(request, form.cleaned_data["reason"]):
            return super().delete_view(request, object_id, context)

    def reason_of_action(self, request: HttpRequest) -> str:
        """Return the reason for an action on rows; show an error and return "" if it is invalid."""
        reason = " ".join(request.POST.get("reason", "").split())[:REASON_LENGTH]
        try:
            require_few_words(reason)
        except ValidationError as refusal:
            self.message_user(request, refusal.messages[0], messages.ERROR)
            return ""
        return reason


def with_reason(
    model_admin: "admin.ModelAdmin[Any]", request: HttpRequest, obj: Any, fields: list[Any]
) -> list[Any]:
    """Return `fields` with the reason last, if the page can be saved."""
    asks = model_admin.has_add_permission(request)
    if obj:
        asks = model_admin.has_change_permission(request, obj)
    names = [each for each in fields if each != "reason"]
    return [*names, "reason"] if asks else names


@contextmanager
def attributed_to_user(request: HttpRequest, reason: str) -> Iterator[None]:
    """Attribute changes inside the block to the signed-in user, with this reason."""
    with actor.attributed_to(request.user.pk or actor.SERVER, reason):
        yield
