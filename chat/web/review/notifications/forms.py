"""Form for a staff member's notification preferences."""

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from chat.review.staff import privacy
from chat.review.staff.roles import Right, Role
from chat.review.staff_notices import costs_mail, duty
from chat.review.staff_notices.models import WEBHOOK_LENGTH, NoticeChoices
from chat.web.http.form_fields import LineField, require_webhook_url
from chat.webhooks.signed_post import new_secret

#: Rights whose holders get notices, besides the mail about costs.
WITH_NOTICES = {Right.DATA_PROTECTION, Right.AUDIT_LOG}


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
    costs_by_mail = forms.BooleanField(
        required=False,
        label=_("Email me the costs of each month"),
        help_text=_("On the first day of the next month, by group, persona, website and model."),
    )
    webhook_url = LineField(
        most=WEBHOOK_LENGTH,
        required=False,
        label=_("Webhook address"),
        help_text=_(
            "Receives each notification as a signed request that Slack and compatible services "
            "understand. It must be publicly accessible."
        ),
    )

    def __init__(
        self, sent: QueryDict | None, choices: NoticeChoices, role: Role, rights: frozenset[Right]
    ) -> None:
        self._choices = choices
        self.made_secret = ""  # of the webhook, if saving has made one
        initial = {name: getattr(choices, name) for name in self.base_fields}
        initial["is_on_duty"] = duty.is_on_duty(role, choices.is_on_duty)
        super().__init__(sent, initial=initial)
        if not (privacy.is_reading_allowed() and Right.FIGURES in rights):
            del self.fields["costs_by_mail"]
        if role < Role.REVIEWER:
            del self.fields["is_on_duty"]
        if role < Role.REVIEWER and rights.isdisjoint(WITH_NOTICES):
            del self.fields["by_mail"], self.fields["webhook_url"]  # they get no notices

    def clean_webhook_url(self) -> str:
        return require_webhook_url(self.cleaned_data["webhook_url"])

    def save(self) -> None:
        choices = self._choices
        address = self.cleaned_data.get("webhook_url", choices.webhook_url)
        if address != choices.webhook_url:
            self.made_secret = new_secret() if address else ""
            choices.webhook_secret = self.made_secret
        if self.cleaned_data.get("costs_by_mail") and not choices.costs_by_mail:
            choices.costs_mailed_in = costs_mail.this_month()  # the next mail is that of this month
        for name, value in self.cleaned_data.items():
            setattr(choices, name, value)
        choices.save()
