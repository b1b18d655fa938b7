"""Define the forms for a project and for a tag."""

import uuid
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from chat.errors import PersonaUnavailable
from chat.personas.access import persona_of
from chat.projects.models import (
    INSTRUCTIONS_LENGTH,
    MAX_PROJECTS,
    MAX_TAGS,
    NAME_LENGTH,
    TAG_LENGTH,
    ChatTag,
    Project,
)
from chat.web.http import collection_fields
from chat.web.http.collection_fields import CollectionsField
from chat.web.http.form_fields import LineField, TextField, offer_choices
from chat.web.personas.persona_choice import offered_personas


class ProjectForm(forms.Form):
    """Create or edit a project of a member."""

    name = LineField(most=NAME_LENGTH, label=gettext_lazy("Name"))
    instructions = TextField(
        most=INSTRUCTIONS_LENGTH,
        rows=8,
        label=gettext_lazy("Instructions"),
        required=False,
        help_text=gettext_lazy(
            "Sent to the model before each chat in this project. Changes apply from the next "
            "message on. Staff who read a chat see them."
        ),
    )
    persona = forms.ChoiceField(
        label=gettext_lazy("Persona"),
        required=False,
        help_text=gettext_lazy("Selected for new chats in this project."),
    )

    collections = CollectionsField(
        gettext_lazy("Answers in this project's chats are based on these documents.")
    )

    def __init__(
        self, sent: QueryDict | None, user_id: int, changed: Project | None = None
    ) -> None:
        self.user_id, self.changed = user_id, changed
        initial: dict[str, Any] = {}
        if changed:
            initial = {
                "name": changed.name,
                "instructions": changed.instructions,
                "persona": str(changed.persona_id or ""),
                "collections": changed.collections.all(),
            }
        super().__init__(sent, initial=initial)
        collection_fields.offer(self, user_id)
        offered = [(each["id"], each["name"]) for each in offered_personas(user_id)]
        offer_choices(self, "persona", [("", _("Default")), *offered])

    def clean_persona(self) -> uuid.UUID | None:
        chosen = self.cleaned_data["persona"]
        try:
            return persona_of(self.user_id, chosen).pk if chosen else None
        except PersonaUnavailable as error:
            raise ValidationError(error.public) from None

    def clean(self) -> dict[str, Any]:
        if not self.changed:
            _require_room(Project.objects.filter(owner=self.user_id).count(), MAX_PROJECTS)
        return super().clean() or {}

    @transaction.atomic
    def save(self) -> Project:
        project = self.changed or Project(owner_id=self.user_id)
        values = self.cleaned_data
        project.name, project.instructions = values["name"], values["instructions"]
        project.persona_id, project.updated_at = values["persona"], timezone.now()
        project.save()
        collection_fields.store(values.get("collections"), project.collections, self.user_id)
        return project


class TagForm(forms.Form):
    """Create or edit a tag of a member."""

    name = LineField(most=TAG_LENGTH, label=gettext_lazy("Name"))
    color = forms.ChoiceField(
        label=gettext_lazy("Color"), choices=ChatTag.Color.choices, required=False
    )

    def __init__(
        self, sent: QueryDict | None, user_id: int, changed: ChatTag | None = None
    ) -> None:
        self.user_id, self.changed = user_id, changed
        initial = {"name": changed.name, "color": changed.color} if changed else {}
        super().__init__(sent, initial=initial)

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        others = ChatTag.objects.filter(owner=self.user_id)
        if self.changed:
            others = others.exclude(pk=self.changed.pk)
        if others.filter(folded_name=ChatTag.fold(name)).exists():
            raise ValidationError(_("You already have a tag with this name."))
        return name

    def clean(self) -> dict[str, Any]:
        if not self.changed:
            _require_room(ChatTag.objects.filter(owner=self.user_id).count(), MAX_TAGS)
        return super().clean() or {}

    def save(self) -> ChatTag:
        given, folded = self.cleaned_data, ChatTag.fold(self.cleaned_data["name"])
        values = {"name": given["name"], "color": given["color"]}
        if self.changed is None:  # a concurrent request may have created it
            mine = {"owner_id": self.user_id, "folded_name": folded}
            return ChatTag.objects.get_or_create(**mine, defaults=values)[0]
        ChatTag.objects.filter(pk=self.changed.pk).update(**values, folded_name=folded)
        return self.changed


def _require_room(count: int, most: int) -> None:
    if count >= most:
        words = _("You've reached the limit of {most}. Delete one first.")
        raise ValidationError(words.format(most=most))
