"""Who is asking, in the one form that the layers above know."""

from dataclasses import dataclass

from django.http import HttpRequest

from chat.errors import SignedOut


@dataclass(frozen=True, slots=True)
class Principal:
    """Somebody who may own things. `key` is opaque and the same for every request of theirs."""

    key: str
    user_id: int
    session_key: str = ""
    is_staff: bool = False


async def principal_of(request: HttpRequest) -> Principal:
    """The signed-in member behind `request`; `SignedOut` for anybody else."""
    user = await request.auser()
    if not user.is_authenticated:
        raise SignedOut
    return Principal(
        key=f"user:{user.pk}",
        user_id=user.pk,
        session_key=request.session.session_key or "",
        is_staff=user.is_staff,
    )
