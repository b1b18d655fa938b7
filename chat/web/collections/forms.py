"""Define the forms for a collection, and for adding files without scripts."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from chat.knowledge.models import MAX_COLLECTIONS, Collection
from chat.web.http.audience_form import SharingForm
from chat.web.http.form_fields import FilesField, FilesInput, LineField


class CollectionForm(SharingForm[Collection]):
    kind, most = Collection, MAX_COLLECTIONS

    description = LineField(
        most=200,
        label=gettext_lazy("Description"),
        required=False,
        help_text=gettext_lazy("What is in these documents, for people choosing a collection."),
    )

    def values_of(self, one: Collection) -> dict[str, Any]:
        return {**super().values_of(one), "description": one.description}

    def apply(self, one: Collection) -> None:
        super().apply(one)
        one.description = self.cleaned_data["description"]


class DocumentsForm(forms.Form):
    file = FilesField(label=gettext_lazy("Files"), widget=FilesInput, allow_empty_file=True)
