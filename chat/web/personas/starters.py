"""Provide conversation starters for the empty page."""

from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from chat.accounts.models import User
from chat.emulator.scripts.starters import STARTERS as EMULATOR_STARTERS
from chat.site_settings import effective
from chat.upstream import available_models


class Starter(NamedTuple):
    title: str | Promise
    prompt: str | Promise


STARTERS = (
    Starter(_("Explain something"), _("Explain how tides work to a curious twelve-year-old.")),
    Starter(_("Plan a day"), _("Plan a slow Saturday in a small town by a river.")),
    Starter(_("Compare"), _("Compare SQLite and PostgreSQL for a small website, in a table.")),
    Starter(
        _("Find the right words"),
        _("Write a friendly reminder to a neighbor who has borrowed my ladder."),
    ),
)
#: The emulator has no translations, so its titles are translated here.
EMULATOR_TITLES = (
    _("Ask a simple question"),
    _("Get a long answer"),
    _("See all formatting"),
    _("Watch it think first"),
    _("Simulate a lost connection"),
    _("See what else it can do"),
)


def starters_for(user: User) -> list[Starter]:
    """Return the administrators' starters, else the usual ones.

    With the emulator, these demonstrate its commands, which only staff are shown.
    """
    if own := effective.starters():
        return [Starter("", text) for text in own]
    if user.is_staff and available_models.is_emulated():
        return [Starter(gettext(each.title), each.prompt) for each in EMULATOR_STARTERS]
    return list(STARTERS)
