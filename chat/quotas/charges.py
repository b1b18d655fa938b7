"""Read and write the rows of charges: each answer adds one and settles it."""

from collections.abc import Collection, Iterable
from uuid import UUID

from chat.database.prepared import AnyOf, PreparedInsert, PreparedQuery, PreparedUpdate
from chat.quotas.amounts import Amount
from chat.quotas.models import Charge

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


def raise_to(charge: Charge, amount: Amount, prompt_tokens: int) -> None:
    """Store that more is reserved for an open charge."""
    tokens, millineurons, microdollars = amount.as_tuple()
    Charge.objects.filter(pk=charge.pk, settled_at=None).update(
        tokens=tokens,
        millineurons=millineurons,
        microdollars=microdollars,
        prompt_tokens=prompt_tokens,
    )


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
