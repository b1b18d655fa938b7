"""Who is asking, in the one form that the layers above know."""

from dataclasses import dataclass, field

from django.http import HttpRequest

from chat.accounts.client_ip import UNKNOWN, address_of
from chat.database.request_threads import release_request_thread
from chat.errors import NotAuthenticated
from chat.quotas.payer import Payer

#: The account of somebody who has none: a visitor without a token.
NOBODY = 0


@dataclass(frozen=True, slots=True)
class Principal:
    """Somebody who may own things. `key` is opaque and the same for every request of theirs.

    It is a member, by a session, or (where `site` is the key of one) somebody on a widget site.
    """

    key: str
    user_id: int
    session_key: str = ""
    is_staff: bool = False
    address: str = field(default="", compare=False)  # it may change while they read
    site: str = ""
    visitor: str = ""  # for counting: who of them it is
    token: str = field(default="", repr=False)  # the digest of what proves it, if anything does

    @property
    def payer(self) -> Payer:
        """On whose account their answers go."""
        if self.site:
            return Payer(site=self.site, visitor=self.visitor, address=self.address)
        return Payer(user_id=self.user_id, address=self.address)


async def principal_of(request: HttpRequest) -> Principal:
    """Who is behind `request`: the visitor whom visitor_requests.py found (below /w/ there is
    nobody else), or the signed-in member; `NotAuthenticated` for anybody else.

    The request's thread is given back at once: what follows waits for a model, and may take
    minutes.
    """
    visitor: Principal | None = getattr(request, "visitor", None)
    if visitor:
        return visitor
    user = await request.auser()
    release_request_thread()
    if not user.is_authenticated:
        raise NotAuthenticated
    return Principal(
        key=f"user:{user.pk}",
        user_id=user.pk,
        session_key=request.session.session_key or "",
        is_staff=user.is_staff,
        address=counted_address(request),
    )


def payer_of(request: HttpRequest, user_id: int) -> Payer:
    """On whose account a member's answers to `request` go."""
    return Payer(user_id=user_id, address=counted_address(request))


def counted_address(request: HttpRequest) -> str:
    """Where `request` comes from; from nowhere known, no address counts."""
    address = address_of(request)
    return "" if address == UNKNOWN else address
