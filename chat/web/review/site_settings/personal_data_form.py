"""Define the form of what is done with personal data."""

from typing import Any, ClassVar

from django import forms
from django.contrib.auth.models import Group
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from chat.lib.personal_data.phones import is_region
from chat.site_settings import effective, setting_names
from chat.web.http.form_fields import LineField, SeveralField
from chat.web.review.site_settings.forms import SectionForm


class PersonalDataForm(SectionForm):
    """Where phone numbers are from, and what providers of models don't get to see."""

    NAMES: ClassVar = {
        "region": setting_names.PHONE_REGION,
        "masks": setting_names.MASK_PERSONAL_DATA,
        "groups": setting_names.MASKED_GROUPS,
    }

    region = LineField(
        most=2,
        required=False,
        label=gettext_lazy("Country of phone numbers"),
        help_text=gettext_lazy(
            "Two letters, such as DE or US. Numbers without a country code are then found, too. "
            "Leave blank to find few of them."
        ),
    )
    masks = forms.BooleanField(
        required=False,
        label=gettext_lazy("Hide personal data from models"),
        help_text=gettext_lazy(
            "Email addresses, phone numbers, bank accounts, payment cards and national ID numbers "
            "are replaced before a message is sent to a model provider, and put back into the "
            "answer. Names and street addresses are not found."
        ),
    )
    groups = SeveralField(
        queryset=Group.objects.order_by("name"),
        widget=forms.CheckboxSelectMultiple,
        required=False,
        label=gettext_lazy("For these groups, even if not for everyone"),
    )

    def __init__(self, sent: Any = None, files: Any = None) -> None:
        super().__init__(sent, files)
        if not Group.objects.exists():
            del self.fields["groups"]

    def stored_values(self) -> dict[str, Any]:
        return {
            "region": effective.phone_region(),
            "masks": effective.masks_personal_data(),
            "groups": effective.groups_with_masking(),
        }

    def clean_region(self) -> str:
        region: str = self.cleaned_data["region"].upper()
        if region and not is_region(region):
            raise ValidationError(_("Enter the two letters of a country, such as DE or US."))
        return region

    def values(self) -> dict[str, Any]:
        data = self.cleaned_data
        return {
            setting_names.PHONE_REGION: data["region"] or None,
            setting_names.MASK_PERSONAL_DATA: data["masks"] or None,
            setting_names.MASKED_GROUPS: [each.pk for each in data.get("groups", ())] or None,
        }
