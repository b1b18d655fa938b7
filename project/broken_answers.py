"""An answer that breaks off in a format that cannot say so ends its connection."""

from asgiref.typing import ASGI3Application, ASGIReceiveCallable, ASGISendCallable, Scope

from chat.relay.encoders.plain_text import AnswerBroken
from project.connections import break_off


class BrokenAnswers:
    """ASGI middleware: the client sees a network error instead of an answer that seems whole."""

    def __init__(self, app: ASGI3Application) -> None:
        self.app = app

    async def __call__(
        self, scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable
    ) -> None:
        try:
            await self.app(scope, receive, send)
        except AnswerBroken:
            break_off(send)
