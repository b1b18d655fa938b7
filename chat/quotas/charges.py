"""Read and write the rows of charges: each answer adds one and settles it."""

from collections.abc import Collection, Iterable
from uuid import UUID

from chat.database.prepared import AnyOf, PreparedInsert, PreparedQuery, PreparedUpdate
from chat.quotas.models import Charge

AMOUNT = ("tokens", "millineurons", "microdollars")
USED = tuple(f"used_{name}" for name in AMOUNT)

_insert = PreparedInsert(Charge)
_open = PreparedQuery(lambda ids: Charge.objects.filter(AnyOf("pk", ids), settled_at=None))
_settle = PreparedUpdate(
    lambda pk, settled_at, tokens, millineurons, microdollars: (
        Charge.objects.filter(pk=pk),
        {
            "settled_at": settled_at,
            "tokens": tokens,
            "millineurons": millineurons,
            "microdollars": microdollars,
        },
    )
)


def add(charge: Charge) -> None:
    _insert.one(charge)


def store_used(charge: Charge, prompt_tokens: int) -> None:
    """Store what an open charge amounts to, what of it has been used, and the next prompt."""
    charge.prompt_tokens = prompt_tokens
    names = [*AMOUNT, *USED, "prompt_tokens"]
    still_open = Charge.objects.filter(pk=charge.pk, settled_at=None)
    still_open.update(**{name: getattr(charge, name) for name in names})


def open_charges(charge_ids: Collection[UUID]) -> list[Charge]:
    """Return the charges that are not settled yet."""
    return _open.all(list(charge_ids))


def settled_charges(charge_ids: Collection[UUID]) -> list[Charge]:
    """Return the charges that are settled."""
    return list(Charge.objects.filter(pk__in=charge_ids).exclude(settled_at=None))


def store_settled(charges: Iterable[Charge]) -> None:
    """Store the settlement of these charges."""
    _settle.run_many(
        [each.pk, each.settled_at, each.tokens, each.millineurons, each.microdollars]
        for each in charges
    )
