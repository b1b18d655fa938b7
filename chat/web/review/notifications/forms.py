"""Form for a staff member's notification preferences."""

from django import forms
from django.conf import settings
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from chat.review.staff.roles import Role
from chat.review.staff_notices import duty
from chat.review.staff_notices.models import WEBHOOK_LENGTH, NoticeChoices
from chat.web.http.form_fields import LineField, require_public_url
from chat.webhooks.signed_post import new_secret


class NoticeChoicesForm(forms.Form):
    is_on_duty = forms.BooleanField(
        required=False,
        label=_("Notify me of every high-severity case I can review"),
        help_text=_(
            "On for lead reviewers, unless they turn it off. If nobody takes a case on, other "
            "lead reviewers are notified, then administrators."
        ),
    )
    by_mail = forms.BooleanField(required=False, label=_("Email me"))
    webhook_url = LineField(
        most=WEBHOOK_LENGTH,
        required=False,
        label=_("Webhook address"),
        help_text=_(
            "Receives each notification as a signed request that Slack and compatible services "
            "understand. It must be publicly accessible."
        ),
    )

    def __init__(self, sent: QueryDict | None, choices: NoticeChoices, role: Role) -> None:
        self._choices = choices
        self.made_secret = ""  # of the webhook, if saving has made one
        initial = {name: getattr(choices, name) for name in self.base_fields}
        initial["is_on_duty"] = duty.is_on_duty(role, choices.is_on_duty)
        super().__init__(sent, initial=initial)

    def clean_webhook_url(self) -> str:
        schemes = ("https", "http") if settings.CHECK_LOCAL_SITES else ("https",)
        return require_public_url(self.cleaned_data["webhook_url"], *schemes)

    def save(self) -> None:
        choices = self._choices
        if self.cleaned_data["webhook_url"] != choices.webhook_url:
            self.made_secret = new_secret() if self.cleaned_data["webhook_url"] else ""
            choices.webhook_secret = self.made_secret
        for name, value in self.cleaned_data.items():
            setattr(choices, name, value)
        choices.save()
