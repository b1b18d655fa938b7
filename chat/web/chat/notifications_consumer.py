"""Push notifications to pages over a WebSocket. Messages from the client are refused."""

import asyncio
from contextlib import ExitStack
from typing import Any

import msgspec
from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings

from chat.accounts.principals import Principal
from chat.accounts.sessions import session_rights
from chat.database import threads
from chat.database.optional_writes import go_on_without
from chat.generations.delivery import notifications
from chat.generations.process import server_process

GOING_AWAY, POLICY_VIOLATION, UNAUTHORIZED = 1001, 1008, 4401


class NotificationsConsumer(AsyncWebsocketConsumer):
    """Stay open while the member may read: checked on connect and with all other open streams."""

    async def connect(self) -> None:
        self._held = ExitStack()
        self._leaving: asyncio.Task[None] | None = None
        # Channels' own session lookup ends sessions that were signed with an older SECRET_KEY.
        session_key = self.scope["cookies"].get(settings.SESSION_COOKIE_NAME, "")
        members = await threads.readers.run(session_rights.members_of, [session_key])
        user_id = members.get(session_key)
        if user_id is None:
            await self.accept()  # browsers only see the close code of a socket that was accepted
            await self.close(UNAUTHORIZED)
            return
        self._user_id = user_id
        here = server_process.current()
        with go_on_without():  # reading needs no heartbeat; the next send tries again
            await here.start()
        principal = Principal(f"user:{user_id}", user_id, session_key)
        viewer = self._held.enter_context(here.subscribers.subscription(principal, None))
        viewer.wake = self._leave
        # Channels leaves these groups on disconnect
        self.groups = [notifications.group_of(user_id)]
        await self.channel_layer.group_add(self.groups[0], self.channel_name)
        await self.accept()  # the group is joined, so no notification is missed from here on
        if viewer.left:
            self._leave()

    async def disconnect(self, code: int) -> None:
        self._held.close()

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        await self.close(POLICY_VIOLATION)

    async def hint(self, event: dict[str, Any]) -> None:
        told = {name: event[name] for name in ("kind", "conversation", "tab")}
        await self.send(msgspec.json.encode(told).decode())

    async def sessions_ended(self, event: dict[str, Any]) -> None:
        """Recheck the member's access: some sessions ended, possibly through another process."""
        await server_process.current().subscribers.recheck_member(self._user_id)

    def _leave(self) -> None:
        """Close the socket: access was lost or the process is shutting down."""
        code = GOING_AWAY if server_process.current().draining else UNAUTHORIZED
        self._leaving = asyncio.create_task(self.close(code))
