"""Build the page of a rating form's figures. It shows no text of raters and no chat."""

from collections.abc import Callable, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from chat.lib import charts
from chat.lib.charts import Chart
from chat.lib.number_format import format_number, format_value
from chat.personas.models import Persona
from chat.review.rating_models import RatingForm, RatingQuestion, StaffRating
from chat.review.ratings import agreement, figures
from chat.review.ratings.agreement import Agreement
from chat.review.ratings.figures import RatingFilter, RatingTally
from chat.review.staff.roles import Reviewer
from chat.web.review.analytics.forms import PeriodForm
from chat.web.review.http.tables import Column, ColumnKind, Table
from chat.widget_sites.models import WidgetSite

#: What figures are broken down by: the title of the table, and that of its first column.
KEYS = {
    "model": (gettext_lazy("By model"), gettext_lazy("Model")),
    "persona": (gettext_lazy("By persona"), gettext_lazy("Persona")),
    "site": (gettext_lazy("By website"), gettext_lazy("Website")),
}


def figures_context(
    reviewer: Reviewer, form: RatingForm, period_form: PeriodForm
) -> dict[str, Any]:
    """Return the template context for the period of a valid form."""
    period = period_form.period
    site = period_form.cleaned_data.get("site")
    chosen = RatingFilter(
        period.first, period.last, period_form.measured_group, site.pk if site else None
    )
    ratings = figures.counted(reviewer, form, chosen)
    total = figures.tally(ratings)
    questions = figures.questions_with_figures(form, total)
    by_day = figures.tallies_by(ratings, figures.day_rated)
    everything = agreement.compared(reviewer, form)
    return {
        "period": period,
        "total": total,
        "questions": [_question(each, total) for each in questions],
        "charts": [_chart(each, list(period), by_day) for each in questions if each.is_score],
        "tables": [_by_day(questions, by_day), *_by_key(questions, ratings)],
        "agreement": _agreement_table(agreement.agreements(questions, everything)),
        "disagreements": len(agreement.disagreements(reviewer, everything)),
    }


def _question(question: RatingQuestion, total: RatingTally) -> dict[str, Any]:
    """Return the mean of a score, and how often each score or label was given."""
    labels = [_value_name(question, place) for place in question.scale]
    shares = [total.share(question, place) or 0.0 for place in question.scale]
    words = [
        f"{format_value(share, ColumnKind.SHARE)} ({format_number(count)})"
        for share, count in zip(shares, _counts(question, total), strict=True)
    ]
    return {
        "question": question,
        "answers": total.answered.get(question.pk, 0),
        "mean": format_value(total.mean(question), "score") if question.is_score else "",
        "ranking": {
            "title": question.get_kind_display(),
            "rows": charts.ranked(labels, shares, words, [""] * len(labels)),
        },
    }


def _counts(question: RatingQuestion, total: RatingTally) -> list[int]:
    return [total.values.get((question.pk, place), 0) for place in question.scale]


def _value_name(question: RatingQuestion, place: int) -> str:
    if not question.is_score:
        return str(question.labels[place])
    ends = {question.scale[0]: question.least_label, question.scale[-1]: question.most_label}
    return f"{place} · {ends[place]}" if ends.get(place) else str(place)


def _chart(question: RatingQuestion, days: list[Any], by_day: dict[Any, RatingTally]) -> Chart:
    means = [by_day[day].mean(question) if day in by_day else None for day in days]
    titles = [
        f"{format_value(day, ColumnKind.DAY)}: {format_value(mean, 'score')}"
        for day, mean in zip(days, means, strict=True)
    ]
    most = question.scale[-1]
    return Chart(
        f"question{question.pk}",
        question.text,
        _("Mean score by day. The table below has the numbers."),
        width=len(days) * charts.STEP,
        points=charts.points(titles),
        dates=charts.axis_dates(days),
        lines=[charts.line("line-1", _("Mean score"), means, most)],
        most=format_value(most, "count"),
    )


def _columns(questions: Sequence[RatingQuestion]) -> list[Column]:
    columns = [Column("ratings", _("Ratings"))]
    for each in questions:
        if each.is_score:
            columns.append(Column(f"q{each.pk}", each.text, ColumnKind.SCORE))
            continue
        columns += [
            Column(f"q{each.pk}_{place}", f"{each.text}: {label}", ColumnKind.SHARE)
            for place, label in enumerate(each.labels)
        ]
    return columns


def _cells(questions: Sequence[RatingQuestion], tally: RatingTally) -> list[Any]:
    cells: list[Any] = [tally.ratings]
    for each in questions:
        if each.is_score:
            cells.append(tally.mean(each))
        else:
            cells += [tally.share(each, place) for place in each.scale]
    return cells


def _by_day(questions: Sequence[RatingQuestion], by_day: dict[Any, RatingTally]) -> Table:
    rows = [[day, *_cells(questions, by_day[day])] for day in sorted(by_day, reverse=True)]
    columns = [Column("day", _("Day"), ColumnKind.DAY), *_columns(questions)]
    return Table("days", _("By day"), columns, rows)


def _by_key(questions: Sequence[RatingQuestion], ratings: Sequence[StaffRating]) -> list[Table]:
    names: dict[str, Callable[[Any], str]] = {
        "model": lambda key: key or _("Several models, or none"),
        "persona": _named(
            Persona.objects.filter(owner=None), _("None"), _("Personal or deleted persona")
        ),
        "site": _named(WidgetSite.objects.all(), _("This site"), _("Deleted website")),
    }
    tables = []
    for name, (title, label) in KEYS.items():
        tallies = figures.tallies_by(ratings, lambda each, name=name: getattr(each, name))  # type: ignore[misc]
        if set(tallies) == {None}:
            continue  # nothing to tell apart
        rows = sorted(
            ([names[name](key), *_cells(questions, tally)] for key, tally in tallies.items()),
            key=lambda row: (-row[1], row[0]),
        )
        columns = [Column(name, label, ColumnKind.TEXT), *_columns(questions)]
        tables.append(Table(name, title, columns, rows))
    return tables


def _named(rows: Any, none: str, missing: str) -> Callable[[Any], str]:
    names = dict(rows.values_list("pk", "name"))
    return lambda key: none if key is None else names.get(key, missing)


def _agreement_table(found: Sequence[Agreement]) -> Table:
    columns = [
        Column("question", _("Question"), ColumnKind.TEXT),
        Column("pairs", _("Pairs of ratings")),
        Column("equal", _("Equal")),
        Column("kappa", _("Cohen’s κ"), ColumnKind.WORDS),
        Column("weights", _("Weights"), ColumnKind.WORDS),
    ]
    rows = [
        [
            f"{each.question.text}: {each.label}" if each.label else each.question.text,
            each.pairs,
            each.equal,
            _kappa(each),
            _("Square of the distance") if each.question.is_score else _("None"),
        ]
        for each in found
    ]
    return Table("agreement", _("Agreement"), columns, rows)


def _kappa(found: Agreement) -> str:
    if found.kappa is not None:
        return format_value(found.kappa, "score")
    if not found.pairs:
        return _("No second ratings yet")
    return _("Not defined: all ratings are the same")
