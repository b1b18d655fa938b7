"""Put the facts of the status page into words."""

from dataclasses import dataclass
from datetime import datetime

from django.template.defaultfilters import filesizeformat
from django.utils.formats import date_format, number_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from chat.generations.deletion.overdue import overdue_deletions
from chat.lib.number_format import format_number, format_value
from chat.site_status import backup_and_seals, database, processes, upstream
from chat.site_status.database import RedisState
from chat.site_status.processes import ProcessStatus, ThisProcess, Utilisation
from chat.version import VERSION
from chat.web.review.http.tables import Column, ColumnKind, Table

Fact = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Section:
    title: str | Promise
    facts: list[Fact]
    table: Table | None = None


def sections(here: ThisProcess) -> list[Section]:
    """Return the parts of the page; `here` is the process that answers."""
    return [_processes(here), _this_process(here), _database(), _upstream(), _backup_and_seals()]


def _processes(here: ThisProcess) -> Section:
    statuses = processes.processes()
    columns = (
        Column("process", _("Process"), ColumnKind.TEXT),
        Column("state", _("Status"), ColumnKind.WORDS),
        Column("heartbeat", _("Last heartbeat"), ColumnKind.WORDS),
        Column("running", _("Running answers")),
    )
    rows = [
        (f"{each.host}: {each.pid}", _state(each, here), _ago(each.silent_seconds), each.running)
        for each in statuses
    ]
    table = Table("processes", _("Server processes"), columns, rows)
    return Section(_("Server processes"), [(_("Version"), VERSION)], table)


def _state(process: ProcessStatus, here: ThisProcess) -> str:
    if process.is_silent:
        return _("Not responding")
    if process.worker_id == here.worker_id:
        return _("Shutting down") if here.draining else _("Running (this process)")
    return _("Running")


def _ago(seconds: float) -> str:
    return _("%(seconds)s s ago") % {"seconds": number_format(seconds, 0, force_grouping=True)}


def _this_process(here: ThisProcess) -> Section:
    facts = [
        (_("New questions"), _acceptance(here)),
        (_("Running answers"), _load(here.running)),
        (_("Open streams"), _load(here.streams)),
        (_("Event loop lag"), _load_in_seconds(here.lag_seconds)),
        (_("Text waiting to be stored"), _load_in_seconds(here.flush_delay_seconds)),
    ]
    columns = (Column("reason", _("Reason"), ColumnKind.TEXT), Column("count", _("Requests")))
    rows = sorted(here.refused.items())
    table = Table("refused", _("Refused requests since this process started"), columns, rows)
    return Section(_("This process"), facts, table if rows else None)


def _acceptance(here: ThisProcess) -> str:
    if here.draining:
        return _("Refused: the process is shutting down")
    if here.overload:
        return _("Refused: %(limit)s") % {"limit": here.overload}
    return _("Accepted")


def _load(load: Utilisation) -> str:
    if not load.limit:
        return format_number(load.now)
    limits = {"now": format_number(load.now), "limit": format_number(load.limit)}
    return _("%(now)s (limit: %(limit)s)") % limits


def _load_in_seconds(load: Utilisation) -> str:
    now = format_value(load.now, "seconds")
    if not load.limit:
        return now
    limits = {"now": now, "limit": format_value(load.limit, "seconds")}
    return _("%(now)s (limit: %(limit)s)") % limits


def _database() -> Section:
    status = database.database_status()
    facts = [
        (_("Database"), f"{status.kind} {status.version}"),
        (_("Size"), filesizeformat(status.size_bytes)),
        (_("Migrations"), _migrations(status.pending_migrations)),
        (_("Free disk space"), filesizeformat(database.free_bytes())),
    ]
    if status.connections is not None and status.max_connections is not None:
        load = Utilisation(status.connections, status.max_connections)
        facts.append((_("Connections"), _load(load)))
    facts.append(("Redis", _redis()))
    facts.append((_("Overdue deletions"), format_number(overdue_deletions().total)))
    return Section(_("Storage"), facts)


def _migrations(pending: int) -> str:
    if not pending:
        return _("Up to date")
    words = ngettext("%(count)s is missing", "%(count)s are missing", pending)
    return words % {"count": format_number(pending)}


def _redis() -> str:
    return {
        RedisState.UNUSED: _("Not used"),
        RedisState.CONNECTED: _("Connected"),
        RedisState.AWAY: _("Not reachable"),
    }[database.redis_state()]


def _upstream() -> Section:
    status = upstream.upstream_status()
    share = status.failed / status.answers if status.answers else None
    facts = [
        (_("Ended answers"), format_number(status.answers)),
        (_("Failed"), format_value(share, "share")),
        (_("First token, median"), format_value(status.first_token_seconds, "seconds")),
        (
            _("First token, 95th percentile"),
            format_value(status.slow_first_token_seconds, "seconds"),
        ),
    ]
    if status.paused_until:
        facts.append((_("Paused until"), _moment(status.paused_until)))
    columns = (Column("code", _("Error"), ColumnKind.TEXT), Column("count", _("Answers")))
    table = Table("errors", _("Errors in the last hour"), columns, status.errors)
    title = _("Model provider, last hour")
    return Section(title, facts, table if status.errors else None)


def _backup_and_seals() -> Section:
    backup = backup_and_seals.last_backup()
    facts = [
        (_("Last backup"), _moment(backup) if backup else _("Unknown")),
        (_("Audit log sealed through"), _sealed()),
    ]
    return Section(_("Backup and audit log"), facts)


def _sealed() -> str:
    seals = backup_and_seals.seal_status()
    if seals.last_day is None:
        return _("Not sealed yet")
    day = date_format(seals.last_day, "SHORT_DATE_FORMAT")
    return _("%(day)s (late)") % {"day": day} if seals.is_late else day


def _moment(moment: datetime) -> str:
    return f"{date_format(moment, 'SHORT_DATETIME_FORMAT')} UTC"
