"""Define the form of the judge and of the topics that it tells."""

from typing import Any, ClassVar, cast

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from chat.personas.parameters import Range
from chat.site_settings import effective, setting_names
from chat.site_settings.topics import LINE_LENGTH, MAX_TOPICS, NAME_LENGTH, Topic
from chat.upstream import available_models
from chat.web.http.form_fields import LinesField, NumberField
from chat.web.review.site_settings.forms import SectionForm


class JudgeForm(SectionForm):
    """Which model judges messages for rules, and which topics it tells."""

    NAMES: ClassVar = {
        "judge_model": setting_names.JUDGE_MODEL,
        "topics": setting_names.TOPICS,
        "topic_share": setting_names.TOPIC_SHARE,
    }

    judge_model = forms.ChoiceField(
        required=False,
        label=gettext_lazy("Judge"),
        help_text=gettext_lazy(
            "It reads what rules by verdict are about, at its provider. The cost counts towards "
            "the limits of the person who asks."
        ),
    )
    topics = LinesField(
        most_lines=MAX_TOPICS,
        most=LINE_LENGTH,
        rows=6,
        required=False,
        label=gettext_lazy("Topics"),
        help_text=gettext_lazy(
            "One per line, with what belongs to it after a colon, such as: Payroll: salary, "
            "payslips, taxes. Clef judges are asked which topic a question is about, for filters "
            "and analytics; other judges can't tell. Without a percentage, only answers that rules "
            "have judged get a topic."
        ),
    )
    topic_share = NumberField(
        allowed=Range(0, 100, is_whole=True),
        label=gettext_lazy("Percentage of answers to judge for topics"),
    )

    def __init__(self, sent: Any = None, files: Any = None) -> None:
        super().__init__(sent, files)
        models = [(each.id, each.name) for each in available_models.judge_models()]
        field = cast(forms.ChoiceField, self.fields["judge_model"])
        field.choices = [("", _("None")), *models]

    def stored_values(self) -> dict[str, Any]:
        return {
            "judge_model": effective.judge_model(),
            "topics": [each.line for each in effective.topics()],
            "topic_share": effective.topic_share() or None,
        }

    def clean_topics(self) -> list[str]:
        lines: list[str] = self.cleaned_data["topics"]
        names = [Topic.read(line).name for line in lines]
        if not all(names) or any(len(name) > NAME_LENGTH for name in names):
            words = _("Begin each line with a name of up to {most} characters.")
            raise ValidationError(words.format(most=NAME_LENGTH))
        if len(set(names)) < len(names):
            raise ValidationError(_("Give each topic a name of its own."))
        return lines
