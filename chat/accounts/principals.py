"""Who is asking, in the one form that the layers above know."""

from dataclasses import dataclass, field

from asgiref.sync import sync_to_async
from django.db import connections
from django.http import HttpRequest

from chat.accounts.address import UNKNOWN, address_of
from chat.errors import SignedOut
from chat.quotas.payer import Payer


@dataclass(frozen=True, slots=True)
class Principal:
    """Somebody who may own things. `key` is opaque and the same for every request of theirs."""

    key: str
    user_id: int
    session_key: str = ""
    is_staff: bool = False
    address: str = field(default="", compare=False)  # it may change while they read

    @property
    def payer(self) -> Payer:
        """On whose account their answers go."""
        return Payer(user_id=self.user_id, address=self.address)


async def principal_of(request: HttpRequest) -> Principal:
    """The signed-in member behind `request`; `SignedOut` for anybody else.

    The request's database connection is given back at once: what follows waits for a model, and
    may take minutes.
    """
    user = await request.auser()
    await sync_to_async(connections.close_all)()
    if not user.is_authenticated:
        raise SignedOut
    return Principal(
        key=f"user:{user.pk}",
        user_id=user.pk,
        session_key=request.session.session_key or "",
        is_staff=user.is_staff,
        address=payer_of(request, user.pk).address,
    )


def payer_of(request: HttpRequest, user_id: int) -> Payer:
    """On whose account answers to `request` go; from nowhere known, no address counts."""
    address = address_of(request)
    return Payer(user_id=user_id, address="" if address == UNKNOWN else address)
