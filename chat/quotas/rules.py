"""Cache limits, groups and pauses in this process until a rule changes."""

from collections.abc import Callable, Collection
from datetime import datetime

from django.contrib.auth.models import Group

from chat.database import config_version
from chat.database.config_version import VersionedValue
from chat.lib.limits import BoundedMap
from chat.quotas import meters
from chat.quotas.limits import EffectiveLimit, effective_limits
from chat.quotas.meters import MeterReading
from chat.quotas.models import Limit, UpstreamPause
from chat.quotas.payer import Payer


class Rules:
    """All rules of one version."""

    def __init__(self) -> None:
        self._limits = list(Limit.objects.all())
        self._pauses = list(UpstreamPause.objects.values_list("provider", "until"))
        self._has_groups = Group.objects.exists()
        self._groups: BoundedMap[int, list[int]] = BoundedMap()
        self._bounds: BoundedMap[Payer, list[EffectiveLimit]] | None = None
        if all(each.expires_at is None for each in self._limits):
            self._bounds = BoundedMap()  # otherwise they depend on the time

    def groups_of(self, user_id: int | None) -> list[int]:
        """Return the ids of the user's groups; a visitor has none."""
        if user_id is None or not self._has_groups:
            return []
        groups = self._groups.get(user_id)
        if groups is None:
            groups = list(Group.objects.filter(user=user_id).values_list("pk", flat=True))
            self._groups[user_id] = groups
        return groups

    def effective_limits(self, payer: Payer, now: datetime) -> list[EffectiveLimit]:
        """Return all limits that apply to `payer` now."""
        if self._bounds is None:
            return self._bounds_at(payer, now)
        limits = self._bounds.get(payer)
        if limits is None:
            limits = self._bounds[payer] = self._bounds_at(payer, now)
        return limits

    def _bounds_at(self, payer: Payer, now: datetime) -> list[EffectiveLimit]:
        present = [
            each for each in self._limits if each.expires_at is None or each.expires_at > now
        ]
        return effective_limits(payer, self.groups_of(payer.user_id), present)

    def paused_until(self, now: datetime, providers: Collection[str] = ("",)) -> datetime | None:
        """Return until when all of these providers are paused; None if one of them isn't."""
        ends = [self._pause_of(provider, now) for provider in providers]
        return None if None in ends else min(filter(None, ends), default=None)

    def _pause_of(self, provider: str, now: datetime) -> datetime | None:
        ends = (until for name, until in self._pauses if name == provider and until > now)
        return max(ends, default=None)


_rules = VersionedValue(Rules)


def current() -> Rules:
    """Return the current rules."""
    return at(config_version.current())


def at(version: int | None) -> Rules:
    """Return the rules of `version`; without a version they are read each time."""
    return _rules.at(version)


def locked(payer: Payer) -> tuple[Rules, MeterReading]:
    """Return the rules for `payer`, and their meters, locked. Call it inside a transaction."""
    return _with_meters(payer, meters.locked)


def read(payer: Payer) -> tuple[Rules, MeterReading]:
    """Return the rules for `payer`, and their meters, without locking."""
    return _with_meters(payer, meters.read)


def _with_meters(
    payer: Payer, read_meters: Callable[[list[str]], MeterReading]
) -> tuple[Rules, MeterReading]:
    """Read the meters, in one statement unless the payer's groups have changed."""
    known = _rules.last() or current()
    reading = read_meters(payer.keys(known.groups_of(payer.user_id)))
    present = _rules.at(reading.config_version)
    if present is not known:
        keys = payer.keys(present.groups_of(payer.user_id))
        if not reading.meters.keys() >= set(keys):
            reading = read_meters(keys)
    return present, reading
