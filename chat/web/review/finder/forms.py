"""Define the form that finds a person, group, model or website."""

from django import forms
from django.utils.translation import gettext_lazy as _

from chat.web.http.form_fields import LineField
from chat.web.review.http.facet_forms import MAX_QUERY_CHARS


class FinderForm(forms.Form):
    q = LineField(most=MAX_QUERY_CHARS, required=False, label=_("Name"))
