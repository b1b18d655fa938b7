"""Route WebSockets; all paths that are not listed are refused."""

from channels.generic.websocket import AsyncWebsocketConsumer
from channels.routing import URLRouter
from channels.sessions import CookieMiddleware
from django.urls import path, re_path

from chat.web.chat.notifications_consumer import NotificationsConsumer
from chat.web.chat.socket_origin import SameOriginValidator
from chat.web.chat.socket_rate import SocketRate


class RejectingConsumer(AsyncWebsocketConsumer):
    async def connect(self) -> None:
        await self.close()


application = SocketRate(
    SameOriginValidator(
        CookieMiddleware(
            URLRouter(
                [
                    path("chat/notifications", NotificationsConsumer.as_asgi()),
                    re_path("", RejectingConsumer.as_asgi()),
                ]
            )
        )
    )
)
