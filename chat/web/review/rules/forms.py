"""Define the form to create, try and save a rule."""

from typing import Any

from django import forms
from django.contrib.auth.models import Group
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from chat.generations.send.judging import judge_in_use
from chat.lib.languages import CODES
from chat.personas.parameters import Range
from chat.review.case_models import (
    RULE_NAME_LENGTH,
    RULE_TEXT_LENGTH,
    Category,
    Rule,
    Severity,
)
from chat.review.cases import rules
from chat.review.cases.patterns import MatchedPiece
from chat.review.personal_data_models import KIND_LABELS
from chat.review.staff.roles import Reviewer
from chat.upstream.judging.categories import known_to
from chat.web.http.form_fields import LineField, NumberField, TextField
from chat.web.review.http.facet_forms import in_scope, set_choices
from chat.widget_sites.models import WidgetSite

SAMPLE_LENGTH = 20_000
THRESHOLD_RANGE = Range(0, 1_000_000_000)
#: What decides whether a message matches.
CONDITION = {
    "kind", "text", "data_kinds", "threshold", "category", "share", "action", "while_writing",
    "applies_to",
    "members", "site", "is_enabled",
}  # fmt: skip
COUNTING = {Rule.Kind.ANSWER_COST, Rule.Kind.CHAT_COST, Rule.Kind.LENGTH, Rule.Kind.VERDICT}
PERCENT = Range(0, 100)
SHARE = Range(1, 100, is_whole=True)
#: What is known before a question is sent.
REFUSABLE = {
    Rule.Kind.WORDS,
    Rule.Kind.PATTERN,
    Rule.Kind.PERSONAL,
    Rule.Kind.LANGUAGE,
    Rule.Kind.LENGTH,
    Rule.Kind.VERDICT,
}
#: What staff see beside a message.
MARKABLE = {Rule.Kind.PERSONAL, Rule.Kind.VERDICT}
#: What a part of an answer can match.
WHILE_WRITING = {Rule.Kind.WORDS, Rule.Kind.PATTERN, Rule.Kind.PERSONAL, Rule.Kind.VERDICT}
#: What only a whole answer tells.
ABOUT_WHOLE_ANSWERS = {Category.UNGROUNDED, Category.UNANSWERED, Category.PERSON}
Action = Rule.Action


class RuleForm(forms.Form):
    name = LineField(most=RULE_NAME_LENGTH, label=gettext_lazy("Name"))
    kind = forms.ChoiceField(
        label=gettext_lazy("Match a message when"),
        choices=[(each.value, each.label) for each in Rule.Kind],
    )
    text = TextField(
        most=RULE_TEXT_LENGTH,
        rows=4,
        required=False,
        label=gettext_lazy("Words, pattern, tools or languages"),
        help_text=gettext_lazy(
            "Words or phrases, one per line, or a single RE2 pattern. In words, “*” at the start "
            "or end matches more letters. Upper and lower case are treated the same. For tools, "
            "their names, such as web_search, one per line. For languages, their codes, such as "
            "de or en, one per line."
        ),
    )
    data_kinds = forms.MultipleChoiceField(
        required=False,
        label=gettext_lazy("Kinds of personal data"),
        choices=[(each.value, label) for each, label in KIND_LABELS.items()],
        widget=forms.CheckboxSelectMultiple,
    )
    threshold = NumberField(allowed=THRESHOLD_RANGE, label=gettext_lazy("Threshold"))
    category = forms.ChoiceField(
        required=False,
        label=gettext_lazy("What the judge is asked"),
        choices=[("", "–"), *((each.value, each.label) for each in Category)],
    )
    share = NumberField(
        allowed=SHARE, initial=100, label=gettext_lazy("Percentage of messages to judge")
    )
    fails_closed = forms.BooleanField(
        required=False,
        label=gettext_lazy("If the judge fails, treat the message as a match"),
    )
    action = forms.ChoiceField(
        required=False,
        label=gettext_lazy("What happens"),
        choices=[(each.value, each.label) for each in Action],
        initial=Action.QUEUE,
    )
    while_writing = forms.BooleanField(
        required=False,
        label=gettext_lazy("Check answers while they are written, too, and stop those that match"),
    )
    applies_to = forms.ChoiceField(
        label=gettext_lazy("Where"), choices=[(each.value, each.label) for each in Rule.AppliesTo]
    )
    members = forms.ModelChoiceField(
        Group.objects.none(), required=False, label=gettext_lazy("Members of")
    )
    site = forms.ModelChoiceField(
        WidgetSite.objects.none(), required=False, label=gettext_lazy("Visitors of")
    )
    severity = forms.TypedChoiceField(
        label=gettext_lazy("Severity"),
        choices=[(each.value, each.label) for each in Severity],
        coerce=int,
        initial=Severity.MEDIUM,
    )
    holds_chats = forms.BooleanField(
        required=False,
        initial=True,
        label=gettext_lazy(
            "Keep flagged chats, even if they are deleted, until the case is resolved"
        ),
    )
    is_enabled = forms.BooleanField(required=False, initial=True, label=gettext_lazy("Enabled"))
    sample = TextField(
        most=SAMPLE_LENGTH,
        rows=4,
        required=False,
        label=gettext_lazy("Test text"),
        help_text=gettext_lazy("This text isn't saved."),
    )

    def __init__(
        self, sent: Any, reviewer: Reviewer, rule: Rule | None = None, suggested: Any = None
    ) -> None:
        initial = {name: getattr(rule, name) for name in self.base_fields if hasattr(rule, name)}
        if "data_kinds" in initial:
            initial["data_kinds"] = initial["data_kinds"].split()
        super().__init__(sent, initial=initial or suggested)
        self._reviewer = reviewer
        self.rule = rule or Rule(created_by_id=reviewer.user_id)
        for name in ("members", "site"):
            field: Any = self.fields[name]
            field.empty_label = _("Everyone") if reviewer.groups is None else _("None")
        groups, sites = in_scope(reviewer)
        set_choices(self, members=groups, site=sites)

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        chosen = [name for name in ("members", "site") if values.get(name)]
        if len(chosen) > 1:
            self.add_error("site", _("Choose either members or visitors."))
        if not chosen and self._reviewer.groups is not None:
            self.add_error(self._about, _("Choose whose chats this rule checks."))
        if values.get("kind") in COUNTING:
            if values.get("threshold") is None and "threshold" not in self.errors:
                self.add_error("threshold", _("Enter a number."))
            if values["kind"] == Rule.Kind.VERDICT:
                self._check_verdict(values)
        elif values.get("kind") == Rule.Kind.PERSONAL:
            if not values.get("data_kinds") and "data_kinds" not in self.errors:
                self.add_error("data_kinds", _("Choose at least one kind."))
        elif values.get("kind") and "text" in values:
            self._check_text(values)
        self._check_action(values)
        return values

    def clean_data_kinds(self) -> str:
        """Return the kinds as a rule has them."""
        return " ".join(self.cleaned_data["data_kinds"])

    def _check_verdict(self, values: dict[str, Any]) -> None:
        judge, category = judge_in_use(), values.get("category", "")
        if judge is None:
            self.add_error("kind", _("No judge is set up. An administrator can choose one."))
        elif not category:
            self.add_error("category", _("Choose a category."))
        elif category not in known_to(judge.task):
            self.add_error("category", _("The judge of this site doesn't tell this."))
        if (values.get("threshold") or 0) > PERCENT.most:
            self.add_error("threshold", _("Enter a percentage."))

    def _check_action(self, values: dict[str, Any]) -> None:
        values["action"] = values.get("action") or Action.QUEUE
        values["share"] = values.get("share") or SHARE.most
        kind, action = values.get("kind"), values["action"]
        if action == Action.MARK and kind not in MARKABLE:
            self.add_error("action", _("Only a verdict or personal data can be shown."))
        if kind == Rule.Kind.CHAT_COST and action != Action.QUEUE:
            self.add_error("action", _("The cost of a chat can only put it in the queue."))
        if values.get("while_writing"):
            self._check_while_writing(values)
        if action == Action.REFUSE:
            if kind not in REFUSABLE:
                self.add_error("action", _("This isn't known before a question is sent."))
            if values.get("applies_to") != Rule.AppliesTo.QUESTIONS:
                self.add_error("applies_to", _("Only questions can be refused. Choose questions."))
            if values["share"] != SHARE.most:
                self.add_error("share", _("Questions are refused only if all are judged."))

    def _check_while_writing(self, values: dict[str, Any]) -> None:
        if values["action"] != Action.HIDE:
            self.add_error("while_writing", _("Only rules that hide messages can do this."))
        elif values.get("applies_to") == Rule.AppliesTo.QUESTIONS:
            self.add_error("while_writing", _("This rule checks questions only."))
        elif values.get("kind") not in WHILE_WRITING or (
            values["kind"] == Rule.Kind.VERDICT and values.get("category") in ABOUT_WHOLE_ANSWERS
        ):
            self.add_error("while_writing", _("This isn't known before an answer is complete."))

    @property
    def _about(self) -> str | None:
        return next((name for name in ("members", "site") if name in self.fields), None)

    def _check_text(self, values: dict[str, Any]) -> None:
        try:
            rules.pattern_of(Rule(kind=values["kind"], text=values["text"]))
            if not values["text"].strip():
                self.add_error("text", _("Enter at least one name."))
            elif values["kind"] == Rule.Kind.LANGUAGE:
                self._check_languages(values["text"].split())
        except ValidationError as problem:
            self.add_error("text", problem)

    def _check_languages(self, codes: list[str]) -> None:
        unknown = [each for each in codes if each not in CODES]
        if unknown:
            words = _("“{code}” is no code of a language that is recognized, such as de or en.")
            self.add_error("text", words.format(code=unknown[0][:20]))

    def filled(self) -> Rule:
        """Return the rule with the submitted values, unsaved."""
        for name in self.base_fields.keys() - {"members", "site", "sample"}:
            setattr(self.rule, name, self.cleaned_data[name])
        self.rule.members = self.cleaned_data.get("members")
        self.rule.site = self.cleaned_data.get("site")
        return self.rule

    def unnamed(self) -> Rule | None:
        """Return the rule as submitted, with or without a name; None if a field is invalid."""
        self.is_valid()
        self.errors.pop("name", None)  # not needed to try a rule
        self.cleaned_data.setdefault("name", "")
        return None if self.errors else self.filled()

    @property
    def is_condition_new(self) -> bool:
        """Return True if the rule may match other messages than before."""
        is_on = bool(self.cleaned_data["is_enabled"])
        return is_on and (self.rule.pk is None or any(map(self._is_changed, CONDITION)))

    def _is_changed(self, name: str) -> bool:
        return bool(self.cleaned_data.get(name) != getattr(self.rule, name))

    def trial(self) -> list[MatchedPiece] | None:
        """Return the sample split at the rule's matches; None if a field is invalid."""
        self.is_valid()
        self.errors.pop("name", None)  # not needed to try a rule
        if self.cleaned_data.get("kind") == Rule.Kind.VERDICT:
            self.add_error("sample", _("To try a verdict, use “Test on past messages”."))
        if {"kind", "text", "data_kinds", "threshold", "sample"} & self.errors.keys():
            return None
        values = self.cleaned_data
        condition = {name: values[name] for name in ("kind", "text", "data_kinds")}
        pattern = rules.pattern_of(Rule(**condition))
        if pattern:
            return pattern.pieces(values["sample"])
        is_hit = values["kind"] == Rule.Kind.LENGTH and len(values["sample"]) > values["threshold"]
        return [MatchedPiece(values["sample"], is_hit)]
