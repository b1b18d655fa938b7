"""Define the form for the webhook of cases."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from chat.review.staff_notices.models import WEBHOOK_LENGTH, CaseWebhook
from chat.web.http.form_fields import LineField, require_webhook_url


class CaseWebhookForm(forms.Form):
    webhook_url = LineField(
        most=WEBHOOK_LENGTH,
        required=False,
        label=_("Webhook address"),
        help_text=_("It must be publicly accessible. Leave blank for none."),
    )
    renews_secret = forms.BooleanField(required=False, label=_("Make a new secret"))

    def __init__(self, sent: Any, stored: CaseWebhook | None) -> None:
        super().__init__(sent, initial={"webhook_url": stored.url if stored else ""})
        if stored is None:
            del self.fields["renews_secret"]  # the first address gets one anyway

    def clean_webhook_url(self) -> str:
        return require_webhook_url(self.cleaned_data["webhook_url"])
