"""Represent the requester, a member or a visitor, in one form for all higher layers."""

from dataclasses import dataclass, field

from django.http import HttpRequest

from chat.accounts.client_ip import UNKNOWN, client_address
from chat.accounts.custom_instructions import instructions_text
from chat.accounts.memories import memory_text
from chat.accounts.preferences import Preferences
from chat.database.request_threads import release_request_thread
from chat.errors import ErrorReader, NotAuthenticated
from chat.quotas.payer import Payer

#: The account id of a visitor without a token.
NOBODY = 0


@dataclass(frozen=True, slots=True)
class Principal:
    """Someone who may own things: a member or, if `site` is set, a visitor of a widget site.

    `key` is opaque and the same for all of their requests.
    """

    key: str
    user_id: int
    session_key: str = ""
    is_staff: bool = False
    address: str = field(default="", compare=False)  # may change while they read
    site: str = ""
    visitor: str = ""  # identifies the visitor for limits
    token: str = field(default="", repr=False)  # digest of the visitor's token, if any
    api_key_id: int | None = None  # if a member's program asks
    api_key_microdollars: int | None = None  # the key's budget per month
    # What models read first in all of a member's chats.
    instructions: str = field(default="", compare=False, repr=False)
    # Tools with effects that the member lets models call without asking.
    allowed_tools: frozenset[str] = field(default=frozenset(), compare=False)
    default_tools: tuple[str, ...] = field(default=(), compare=False)  # of new chats
    uses_memories: bool = field(default=True, compare=False)
    shows_follow_ups: bool = field(default=True, compare=False)  # what they could ask next
    is_evaluation: bool = False  # a run that evaluates a model, on behalf of nobody

    @property
    def reader(self) -> ErrorReader:
        """Return who is told of an error of their answers."""
        if self.site:
            return ErrorReader.VISITOR
        return ErrorReader.MEMBER if self.api_key_id is None else ErrorReader.PROGRAM

    @property
    def payer(self) -> Payer:
        """Return whose limits their answers count against."""
        if self.is_evaluation:
            return Payer(is_evaluation=True)
        if self.site:
            return Payer(site=self.site, visitor=self.visitor, address=self.address)
        return Payer(
            user_id=self.user_id,
            address=self.address,
            api_key_id=self.api_key_id,
            api_key_microdollars=self.api_key_microdollars,
        )


async def principal_of(request: HttpRequest) -> Principal:
    """Return the principal of a request; raise `NotAuthenticated` if it has none.

    This is the visitor that visitor_requests.py found (the only kind below /w/), or the signed-in
    member. The request's thread is returned at once, because what follows waits for a model and may
    take minutes.
    """
    visitor: Principal | None = getattr(request, "visitor", None)
    if visitor:
        return visitor
    user = await request.auser()
    release_request_thread()
    if not user.is_authenticated:
        raise NotAuthenticated
    preferences = Preferences.of(user)
    return Principal(
        key=f"user:{user.pk}",
        user_id=user.pk,
        session_key=request.session.session_key or "",
        is_staff=user.is_staff,
        address=address_for_limits(request),
        instructions="\n\n".join(
            filter(None, (instructions_text(preferences), memory_text(preferences)))
        ),
        allowed_tools=frozenset(preferences.allowed_tools.split()),
        default_tools=tuple(preferences.default_tools.split()),
        uses_memories=preferences.uses_memories,
        shows_follow_ups=preferences.shows_follow_ups,
    )


def payer_of(request: HttpRequest, user_id: int) -> Payer:
    """Return whose limits a member's answers to `request` count against."""
    return Payer(user_id=user_id, address=address_for_limits(request))


def address_for_limits(request: HttpRequest) -> str:
    """Return the address for limits; empty if it is unknown."""
    address = client_address(request)
    return "" if address == UNKNOWN else address
