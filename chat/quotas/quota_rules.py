"""Cache limits, groups and pauses in this process until a rule changes."""

from collections.abc import Callable, Collection
from datetime import datetime
from typing import Generic, TypeVar

from django.contrib.auth.models import Group

from chat.quotas import meters, rules_version
from chat.quotas.limits import EffectiveLimit, effective_limits
from chat.quotas.meters import MeterReading
from chat.quotas.models import Limit, UpstreamPause
from chat.quotas.payer import Payer

T = TypeVar("T")

MAX_MEMBERS = 10_000  # whose groups are cached; the cache is cleared beyond that


class VersionedValue(Generic[T]):
    """A cached result of `read`, valid for one version of the rules."""

    def __init__(self, read: Callable[[], T]) -> None:
        self._read = read
        self._known: tuple[int, T] | None = None

    def at(self, version: int | None) -> T:
        """Return the value for `version`; without a version it is read each time."""
        known = self._known
        if known and known[0] == version:
            return known[1]
        value = self._read()
        self._known = (version, value) if version is not None else None
        return value

    def known(self, version: int | None) -> T | None:
        """Return the value for `version` if it need not be read, else None."""
        known = self._known
        return known[1] if known and known[0] == version else None

    def last(self) -> T | None:
        """Return the value read last, which may be outdated."""
        return self._known[1] if self._known else None


class Rules:
    """All rules of one version."""

    def __init__(self) -> None:
        self._limits = list(Limit.objects.all())
        self._pauses = list(UpstreamPause.objects.values_list("provider", "until"))
        self._has_groups = Group.objects.exists()
        self._groups: dict[int, list[int]] = {}
        self._bounds: dict[Payer, list[EffectiveLimit]] | None = None
        if all(each.expires_at is None for each in self._limits):
            self._bounds = {}  # otherwise they depend on the time

    def groups_of(self, user_id: int | None) -> list[int]:
        """Return the ids of the user's groups; a visitor has none."""
        if user_id is None or not self._has_groups:
            return []
        found = self._groups.get(user_id)
        if found is None:
            found = list(Group.objects.filter(user=user_id).values_list("pk", flat=True))
            if len(self._groups) >= MAX_MEMBERS:
                self._groups.clear()
            self._groups[user_id] = found
        return found

    def knows_groups_of(self, user_id: int) -> bool:
        """Return whether the user's groups need not be read."""
        return not self._has_groups or user_id in self._groups

    def effective_limits(self, payer: Payer, now: datetime) -> list[EffectiveLimit]:
        """Return all limits that apply to `payer` now."""
        if self._bounds is None:
            return self._bounds_at(payer, now)
        found = self._bounds.get(payer)
        if found is None:
            if len(self._bounds) >= MAX_MEMBERS:
                self._bounds.clear()
            found = self._bounds[payer] = self._bounds_at(payer, now)
        return found

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
    return at(rules_version.current())


def at(version: int | None) -> Rules:
    """Return the rules of `version`; without a version they are read each time."""
    return _rules.at(version)


def known(version: int | None) -> Rules | None:
    """Return the rules of `version` if they need not be read, else None."""
    return _rules.known(version)


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
    present = _rules.at(reading.rules_version)
    if present is not known:
        keys = payer.keys(present.groups_of(payer.user_id))
        if not reading.meters.keys() >= set(keys):
            reading = read_meters(keys)
    return present, reading
