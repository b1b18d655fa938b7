"""Tables of what is known of single messages. `link` returns the address of some answers."""

from collections.abc import Callable

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from chat.lib.languages import name_of
from chat.review.analytics.message_counts import LIKELY
from chat.review.analytics.reports import UsageReport
from chat.web.review.http.tables import Column, ColumnKind, Table


def languages_table(report: UsageReport, link: Callable[..., str]) -> Table:
    """Return how many questions people wrote in each language."""
    counts = report.by_language()
    total = sum(count for _code, count in counts)
    columns = (
        Column("language", _("Language"), ColumnKind.TEXT),
        Column("messages", _("Questions")),
        Column("share", _("Percentage"), ColumnKind.SHARE),
    )
    rows = [
        [capfirst(name_of(code)) if code else _("Not recognized"), count, count / total]
        for code, count in counts
    ]
    links = [link(language=code) if code else "" for code, _count in counts]
    return Table("languages", _("By language of questions"), columns, rows, links)


def topics_table(report: UsageReport, link: Callable[..., str]) -> Table:
    """Return which questions the judge found unanswered; rows link to these answers."""
    counts = report.by_topic()
    columns = (
        Column("topic", _("Topic"), ColumnKind.TEXT),
        Column("times", _("Not answered")),
        Column("share", _("Percentage"), ColumnKind.SHARE),
        Column("ungrounded", _("Not based on sources")),
        Column("judged", _("Answers judged")),
    )
    rows = [
        [each.topic or _("No topic"), each.unanswered, each.unanswered / each.judged,
         each.ungrounded, each.judged]
        for each in counts
    ]  # fmt: skip
    percent = str(round(100 * LIKELY))
    links = [link(topic=each.topic, unanswered=percent) if each.topic else "" for each in counts]
    return Table("topics", _("Not answered, by topic"), columns, rows, links)
