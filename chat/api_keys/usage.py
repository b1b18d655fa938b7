"""What calls with a key have cost this month."""

from collections.abc import Collection
from decimal import Decimal

from chat.quotas import meters
from chat.quotas.payer import api_key_key
from chat.quotas.units import KINDS, Measure


def spent_usd(key_ids: Collection[int]) -> dict[int, Decimal]:
    """Return the cost of each key's calls in this month, answers in progress at their maximum."""
    reading = meters.read(map(api_key_key, key_ids))
    parts = KINDS[Measure.DOLLARS].parts
    return {
        key_id: Decimal(reading.meters[api_key_key(key_id)].microdollars) / parts
        for key_id in key_ids
    }
