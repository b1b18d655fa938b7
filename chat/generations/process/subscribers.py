"""Track the open streams of this process: check their access, and record that answers are read."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import NamedTuple
from uuid import UUID

from django.conf import settings
from django.db.models.functions import Now

from chat.accounts.principals import Principal
from chat.accounts.sessions import session_rights
from chat.api_keys import keys as api_keys
from chat.database import threads
from chat.generations.models import Generation
from chat.lib import metrics
from chat.widget_sites.visitor_tokens import still_valid
from chat.widget_sites.visits import still_open_sites


class Watcher(NamedTuple):
    """A staff member who watches another person's conversation."""

    user_id: int
    conversation_id: UUID


#: Checks for watching staff, filled by higher layers (chat/apps.py). Each returns those who may go
#: on for its reasons; one is enough.
allowed_watchers: list[Callable[[set[Watcher]], set[Watcher]]] = []


@dataclass(eq=False, slots=True)
class Subscriber:
    """An open stream.

    `left` becomes True when it must end: access was revoked, or the process stops.
    """

    principal: Principal
    generation_id: UUID | None  # None: notifications only
    watching: Watcher | None = None  # None: the stream is the principal's own
    left: bool = False
    wake: Callable[[], None] = lambda: None  # wakes the waiting reader

    def disconnect(self) -> None:
        self.left = True
        self.wake()


class Subscribers:
    """All open streams of this process, at most `most_per_principal` for each (0: no limit).

    Opening one more closes the oldest: if a principal has that many, it most likely is a connection
    that died unnoticed. A live page whose stream is closed reconnects and resumes. Programs with an
    API key cannot, so the limit does not apply to them.
    """

    def __init__(self, most_per_principal: int = 0) -> None:
        self._most = most_per_principal
        self._open: dict[Subscriber, None] = {}  # in order of opening
        self._closed = False  # streams that open after `disconnect` end at once

    @contextmanager
    def subscription(
        self, principal: Principal, generation_id: UUID | None, watching: Watcher | None = None
    ) -> Iterator[Subscriber]:
        viewer = Subscriber(principal, generation_id, watching, left=self._closed)
        if principal.api_key_id is None:
            self._make_room(principal.key)
        self._open[viewer] = None
        try:
            yield viewer
        finally:
            self._open.pop(viewer, None)

    def __len__(self) -> int:
        return len(self._open)

    def generation_ids(self) -> set[UUID]:
        """Return the generations that are being read."""
        return {each.generation_id for each in self._open if each.generation_id and not each.left}

    def reader_of(
        self, generation_id: UUID, session_key: str = "", token: str = ""
    ) -> Principal | None:
        """Return who reads this answer with this session or visitor token; None if nobody does.

        Their right to read was checked within the last `STREAM_REAUTH_SECONDS` or, while the
        database is away, before that.
        """
        for each in self._open:
            if each.generation_id != generation_id or each.watching or each.left:
                continue
            principal = each.principal
            if token and principal.token == token:
                return principal
            if session_key and not principal.site and principal.session_key == session_key:
                return principal
        return None

    def _make_room(self, key: str) -> None:
        theirs = [each for each in self._open if each.principal.key == key and not each.left]
        if self._most and len(theirs) >= self._most:
            metrics.record_shed("streams_per_principal")
            theirs[0].disconnect()

    def disconnect(self) -> None:
        self._closed = True
        for viewer in self._open:
            viewer.disconnect()

    async def recheck(self) -> None:
        """Close the streams of principals who lost access.

        These are members who were signed out (session or account ended, password changed), programs
        whose API key has ended, visitors of suspended sites, and staff who may not watch any more.
        """
        await self._recheck(list(self._open))

    async def recheck_member(self, user_id: int) -> None:
        """Check one member at once, some of whose sessions or API keys have just ended."""
        await self._recheck([each for each in self._open if each.principal.user_id == user_id])

    async def _recheck(self, viewers: list[Subscriber]) -> None:
        if not viewers:
            return
        principals = {viewer.principal for viewer in viewers}
        watching = {viewer.watching for viewer in viewers if viewer.watching}
        allowed = await threads.readers.run(_allowed, principals)
        may_watch: set[Watcher] = set()
        for may in allowed_watchers if watching else ():
            may_watch |= await threads.readers.run(may, watching)
        for viewer in viewers:
            is_in_vain = viewer.watching and viewer.watching not in may_watch
            if viewer.principal not in allowed or is_in_vain:
                viewer.disconnect()
        generations = {
            viewer.generation_id
            for viewer in viewers
            if viewer.generation_id and not viewer.watching and not viewer.left
        }
        if generations:  # last: access checks must work even if the database cannot write
            await threads.writer.run(_seen, generations)


def _allowed(principals: set[Principal]) -> set[Principal]:
    visitors = {principal for principal in principals if principal.site}
    programs = {principal for principal in principals if principal.api_key_id}
    # Nobody's, so they have no session that could end.
    runs = {principal for principal in principals if principal.is_evaluation}
    members = principals - visitors - programs - runs
    allowed = _members_allowed(members) | _visitors_allowed(visitors) | _programs_allowed(programs)
    return allowed | runs


def _members_allowed(principals: set[Principal]) -> set[Principal]:
    signed_in = session_rights.members_of({p.session_key for p in principals})
    return {p for p in principals if signed_in.get(p.session_key) == p.user_id}


def _programs_allowed(principals: set[Principal]) -> set[Principal]:
    if not principals:
        return set()
    good = api_keys.still_valid({p.api_key_id for p in principals if p.api_key_id})
    return {p for p in principals if p.api_key_id in good}


def _visitors_allowed(principals: set[Principal]) -> set[Principal]:
    """Return the visitors whose site exists and whose token, if they have one, is valid."""
    if not principals:
        return set()
    sites = still_open_sites({p.site for p in principals})
    good = still_valid({p.token for p in principals if p.token})
    return {p for p in principals if p.site in sites and (not p.token or p.token in good)}


async def seen_elsewhere(generation_id: UUID, seconds: float) -> bool:
    """Return whether another process recorded a reader within that many seconds."""
    # Readers are not recorded more often.
    seconds = max(seconds, 1.5 * settings.STREAM_REAUTH_SECONDS)
    return await threads.readers.run(_was_seen, generation_id, timedelta(seconds=seconds))


def _was_seen(generation_id: UUID, within: timedelta) -> bool:
    seen = Generation.objects.filter(id=generation_id, last_seen_at__gt=Now() - within)
    return seen.exists()


def _seen(generation_ids: set[UUID]) -> None:
    """Record that these generations have a reader, for the process that runs them."""
    Generation.objects.filter(id__in=generation_ids, state="running").update(last_seen_at=Now())
