"""Define the forms for a source of a website."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from chat.knowledge.models import ADDRESS_LENGTH
from chat.web.http.form_fields import LineField, LinesField
from chat.website_sources.addresses import normalised
from chat.website_sources.confirmation import is_signed
from chat.website_sources.models import WebsiteSource
from chat.website_sources.pages import MAX_SITEMAPS
from chat.widget_sites.models import WidgetSite
from chat.widget_sites.origins import origin_of

MAX_RULES = 50
RULE_LENGTH = 200
EXAMPLE = "https://www.example.org/help/"


class RulesField(LinesField):
    """Paths, one per line."""

    def __init__(self, **options: Any) -> None:
        super().__init__(most_lines=MAX_RULES, most=RULE_LENGTH, rows=2, required=False, **options)
        self.widget.attrs |= {"dir": "ltr", "spellcheck": "false", "autocapitalize": "none"}

    def clean(self, value: Any) -> list[str]:
        rules = super().clean(value)
        if any(not each.startswith(("/", "*")) for each in rules):
            raise ValidationError(_("Start each path with / or *."))
        return rules


class SourceForm(forms.Form):
    """What to read: a website, by its sitemap or its links, or a single page."""

    address = LineField(
        most=ADDRESS_LENGTH,
        label=gettext_lazy("Address"),
        help_text=gettext_lazy("Of the start page, of a sitemap, or of a single page."),
    )
    kind = forms.ChoiceField(
        label=gettext_lazy("What to read"),
        choices=(
            (WebsiteSource.Kind.SITE, gettext_lazy("The website")),
            (WebsiteSource.Kind.PAGE, gettext_lazy("Only this page")),
        ),
        widget=forms.RadioSelect,
        initial=WebsiteSource.Kind.SITE,
    )
    includes = RulesField(
        label=gettext_lazy("Only these paths"),
        help_text=gettext_lazy(
            "One per line, such as /help/ for all below it. * stands for anything: /*/archive/*. "
            "Leave blank for all."
        ),
    )
    excludes = RulesField(label=gettext_lazy("Not these paths"))
    is_for_team = forms.BooleanField(
        required=False,
        label=gettext_lazy("Only for the team"),
        help_text=gettext_lazy(
            "Visitors never get answers from these pages. They help the team to write answers."
        ),
    )
    # Found by the preview, which this form repeats.
    sitemaps = LinesField(most_lines=MAX_SITEMAPS, most=ADDRESS_LENGTH, rows=1, required=False)
    confirmation = forms.CharField(required=False)

    def clean_address(self) -> str:
        typed: str = self.cleaned_data["address"]
        address = normalised(typed if "://" in typed else f"https://{typed}")
        if not address:
            words = _("Enter a web address, such as {example}.")
            raise ValidationError(words.format(example=EXAMPLE))
        return address

    def source(self, site: WidgetSite) -> WebsiteSource:
        """Return the source that was described, which isn't stored."""
        values = self.cleaned_data
        origin = origin_of(values["address"])
        sitemaps = [each for each in values["sitemaps"] if origin_of(each) == origin]
        source = WebsiteSource(
            site=site,
            kind=values["kind"],
            address=values["address"],
            sitemaps=sitemaps if values["kind"] == WebsiteSource.Kind.SITE else [],
            includes=values["includes"],
            excludes=values["excludes"],
            is_for_team=values["is_for_team"],
        )
        if is_signed(source, values["confirmation"]):
            source.confirmed_at = timezone.now()
        return source
