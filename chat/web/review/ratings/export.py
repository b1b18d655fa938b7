"""Export ratings as CSV or JSON Lines, streamed while sent, a column for each question."""

from collections.abc import Iterator
from typing import Any

from chat.accounts.models import User
from chat.lib import json_lines
from chat.review.access_log.staff_context import StaffContext
from chat.review.rating_models import RatingForm, RatingQuestion
from chat.review.ratings.export_rows import ExportedRating, read_ratings
from chat.review.ratings.opinions import in_words
from chat.review.staff.roles import Role
from chat.web.http.files import csv_file

FACTS = (
    "rating", "at", "rater", "chat", "answer", "is_decision", "is_latest", "model", "website",
    "persona",
)  # fmt: skip


def ratings_as_csv(
    staff_context: StaffContext, form: RatingForm, *, with_text: bool
) -> Iterator[bytes]:
    questions = _questions(form, with_text=with_text)
    yield csv_file.head([*FACTS, *(_heading(each) for each in questions)]).encode()
    for row in _rows(staff_context, form, with_text=with_text):
        facts = [str(row[name]) for name in FACTS]
        answers = [_cell(each, row["answers"].get(each.pk)) for each in questions]
        yield csv_file.row([*facts, *answers]).encode()


def ratings_as_jsonl(
    staff_context: StaffContext, form: RatingForm, *, with_text: bool
) -> Iterator[bytes]:
    questions = {each.pk: each for each in _questions(form, with_text=with_text)}
    for row in _rows(staff_context, form, with_text=with_text):
        row["answers"] = [
            {"question": pk, "text": questions[pk].text, "answer": _plain(questions[pk], value)}
            for pk, value in row["answers"].items()
            if pk in questions
        ]
        yield json_lines.lines([row])


WRITERS = {"csv": ratings_as_csv, "jsonl": ratings_as_jsonl}


def _questions(form: RatingForm, *, with_text: bool) -> list[RatingQuestion]:
    """Return all questions that the form ever had; texts only if they are exported."""
    rows = form.questions.order_by("id")
    return [each for each in rows if with_text or each.kind != RatingQuestion.Kind.TEXT]


def _heading(question: RatingQuestion) -> str:
    return f"{question.text} ({question.pk})"


def _rows(
    staff_context: StaffContext, form: RatingForm, *, with_text: bool
) -> Iterator[dict[str, Any]]:
    latest = _latest(form)
    last = 0
    while True:
        staff_context = staff_context.renewed(Role.LEAD)
        some = read_ratings(staff_context, form, last, with_text=with_text)
        raters = User.objects.in_bulk([each.rating.rater for each in some])
        for each in some:
            last = each.rating.pk
            yield _row(each, raters.get(each.rating.rater), is_latest=last in latest)
        if not some:
            return


def _latest(form: RatingForm) -> set[int]:
    keys = form.ratings.order_by("id").values_list(
        "conversation", "message", "rater", "is_decision", "pk"
    )
    return set({tuple(key): pk for *key, pk in keys.iterator()}.values())


def _row(exported: ExportedRating, rater: User | None, *, is_latest: bool) -> dict[str, Any]:
    rating = exported.rating
    values: dict[int, Any] = {int(key): value for key, value in rating.answers.items()}
    return {
        "rating": rating.pk,
        "at": rating.at.isoformat(),
        "rater": str(rater or ""),
        "chat": str(rating.conversation),
        "answer": "" if rating.message is None else rating.message,
        "is_decision": rating.is_decision,
        "is_latest": is_latest,
        "model": rating.model,
        "website": "" if rating.site is None else rating.site,
        "persona": str(rating.persona or ""),
        "answers": values | exported.texts,
    }


def _cell(question: RatingQuestion, value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else in_words(question, value)


def _plain(question: RatingQuestion, value: Any) -> Any:
    return [question.labels[place] for place in value] if isinstance(value, list) else value
