"""Define the forms for datasets, their questions, and runs."""

from typing import Any

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from chat.evaluation.jsonl import MAX_FILE_BYTES, MAX_TEXT_CHARS, NewItem, read_items
from chat.evaluation.models import (
    DATASET_NAME_LENGTH,
    PROMPT_LENGTH,
    EvaluationDataset,
    EvaluationRun,
)
from chat.evaluation.starting import site_collections
from chat.generations.send.judging import judge_in_use
from chat.knowledge.models import Collection
from chat.personas.access import editable
from chat.personas.models import Persona
from chat.personas.parameters import MAX_TOKENS, RANGES
from chat.upstream import available_models
from chat.web.http.form_fields import LineField, NumberField, TextField

STORED = "stored"


class DatasetForm(forms.Form):
    name = LineField(most=DATASET_NAME_LENGTH, label=gettext_lazy("Name"))


class NewItemForm(forms.Form):
    """A question that staff type."""

    question = TextField(most=MAX_TEXT_CHARS, rows=3, label=gettext_lazy("Question"))
    expected = TextField(
        most=MAX_TEXT_CHARS,
        rows=2,
        required=False,
        label=gettext_lazy("What a good answer says"),
        help_text=gettext_lazy("Shown to people who compare answers. No model reads it."),
    )
    instructions = TextField(
        most=PROMPT_LENGTH, rows=2, required=False, label=gettext_lazy("Instructions")
    )

    def item(self) -> NewItem:
        values = self.cleaned_data
        system = [{"role": "system", "content": values["instructions"]}]
        question = {"role": "user", "content": values["question"]}
        said = [*(system if values["instructions"] else []), question]
        return NewItem(said, values["expected"])


class UploadForm(forms.Form):
    """A file with one question on each line."""

    file = forms.FileField(
        label=gettext_lazy("File of JSON lines"),
        help_text=gettext_lazy(
            'One question on each line: {"messages": [{"role": "user", "content": "…"}], '
            '"expected": "…"}'
        ),
    )

    def clean_file(self) -> list[NewItem]:
        file = self.cleaned_data["file"]
        if file.size > MAX_FILE_BYTES:
            raise ValidationError(
                _("The file is too large. It can have {most} MB.").format(
                    most=MAX_FILE_BYTES // 1_000_000
                )
            )
        items, errors = read_items(file.read())
        if errors:
            raise ValidationError(errors)
        return items


class RunForm(forms.Form):
    """What answers the questions, and how."""

    name = LineField(
        most=DATASET_NAME_LENGTH,
        required=False,
        label=gettext_lazy("Name"),
        help_text=gettext_lazy("If blank, the name of the model."),
    )
    model = forms.ChoiceField(label=gettext_lazy("Answers by"))
    instructions = forms.ChoiceField(required=False, label=gettext_lazy("Instructions"))
    system_prompt = TextField(
        most=PROMPT_LENGTH,
        rows=4,
        required=False,
        label=gettext_lazy("Text of the instructions"),
        help_text=gettext_lazy("Only for “The text below”."),
    )
    temperature = NumberField(allowed=RANGES["temperature"], label=gettext_lazy("Temperature"))
    max_tokens = NumberField(allowed=MAX_TOKENS, label=gettext_lazy("Longest answer, in tokens"))
    collection = forms.ModelChoiceField(
        Collection.objects.none(),
        required=False,
        label=gettext_lazy("Answer from the documents of"),
        empty_label=gettext_lazy("No documents"),
    )
    is_judged = forms.BooleanField(
        required=False, initial=True, label=gettext_lazy("Let the judge judge the answers")
    )

    def __init__(self, sent: Any, dataset: EvaluationDataset, user_id: int) -> None:
        super().__init__(sent)
        self._dataset = dataset
        fields: dict[str, Any] = self.fields
        models = available_models.offered_models().values()
        fields["model"].choices = [
            *((each.id, each.name or each.id) for each in models),
            (STORED, _("The stored answers, to compare others with")),
        ]
        self._personas = {str(each.pk): each for each in editable(Persona, user_id)}
        fields["instructions"].choices = [
            ("", _("Those of each question")),
            ("none", _("None")),
            ("own", _("The text below")),
            *((pk, each.name) for pk, each in self._personas.items()),
        ]
        fields["collection"].queryset = site_collections()
        if judge_in_use() is None:
            del self.fields["is_judged"]

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        if values.get("instructions") == "own" and not values.get("system_prompt", "").strip():
            self.add_error("system_prompt", _("Enter the instructions."))
        if values.get("model") == STORED:
            other = ("instructions", "temperature", "max_tokens", "collection")
            if any(values.get(name) for name in other):
                words = _("Stored answers stay as they are: choose no other settings.")
                self.add_error("model", words)
        return values

    def run(self) -> EvaluationRun:
        """Return a new run that isn't saved."""
        values = self.cleaned_data
        is_stored = values["model"] == STORED
        persona = self._personas.get(values["instructions"])
        parameters = dict(persona.parameters) if persona else {}
        if values["temperature"] is not None:
            parameters["temperature"] = values["temperature"]
        longest = values["max_tokens"] or (persona.max_tokens if persona else None)
        return EvaluationRun(
            dataset=self._dataset,
            name=values["name"] or self._usual_name(values["model"], persona),
            is_of_stored_answers=is_stored,
            model="" if is_stored else values["model"],
            system_prompt=self._system_prompt(persona),
            parameters=parameters,
            max_tokens=min(longest or settings.MAX_TOKENS, settings.MAX_TOKENS_LIMIT),
            collection=values["collection"],
            is_judged=values.get("is_judged", False),
        )

    def _system_prompt(self, persona: Persona | None) -> str | None:
        if persona:
            return persona.system_prompt
        match self.cleaned_data["instructions"]:
            case "none":
                return ""
            case "own":
                return str(self.cleaned_data["system_prompt"])
            case _:
                return None

    def _usual_name(self, model_id: str, persona: Persona | None) -> str:
        if model_id == STORED:
            return _("Stored answers")
        model = available_models.offered_models()[model_id]
        names = [model.name or model.id, persona.name if persona else ""]
        return " · ".join(filter(None, names))[:DATASET_NAME_LENGTH]
