"""Present the votes on pairs of models as a table."""

from django.utils.translation import gettext as _

from chat.evaluation.pair_votes import PairCount, pair_counts
from chat.review.staff.roles import Reviewer
from chat.upstream import available_models
from chat.web.review.http.tables import Column, ColumnKind, Table


def votes_table(reviewer: Reviewer) -> Table:
    """Return the votes that members cast without knowing the models."""
    columns = (
        Column("first", _("First model"), ColumnKind.TEXT),
        Column("second", _("Second model"), ColumnKind.TEXT),
        Column("votes", _("Votes")),
        Column("first_better", _("First is better")),
        Column("second_better", _("Second is better")),
        Column("both_good", _("Both are good")),
        Column("both_bad", _("Both are bad")),
        Column("first_share", _("Share of the first"), ColumnKind.SHARE),
        Column("p_value", _("Sign test (p)"), ColumnKind.SCORE),
    )
    return Table("votes", _("Votes"), columns, [_row(each) for each in pair_counts(reviewer)])


def _row(pair: PairCount) -> tuple[object, ...]:
    return (
        available_models.name_of(pair.first),
        available_models.name_of(pair.second),
        pair.votes,
        pair.first_better,
        pair.second_better,
        pair.both_good,
        pair.both_bad,
        pair.first_share,
        pair.p_value,
    )
