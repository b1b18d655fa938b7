"""Identify who pays for an answer, and on which meters it counts."""

from dataclasses import dataclass

EVERYONE = "everyone"
VISITORS = "visitors"
EVALUATION = "evaluation"

#: What the keys of meters of visitors and addresses begin with.
ADDRESS_OR_VISITOR = ("address:", "site_address:", "visitor:")


@dataclass(frozen=True, slots=True)
class Payer:
    """The sender as limits see them: a member or a visitor of a widget site, and their address.

    A member's program uses an API key, which may have a budget per month of its own. Runs that
    evaluate models are nobody's, and have limits of their own.
    """

    user_id: int | None = None
    site: str = ""
    visitor: str = ""
    address: str = ""
    api_key_id: int | None = None
    api_key_microdollars: int | None = None  # per month; None: no limit of its own
    is_evaluation: bool = False

    @property
    def user_key(self) -> str:
        return f"user:{self.user_id}" if self.user_id else ""

    @property
    def api_key_key(self) -> str:
        return api_key_key(self.api_key_id) if self.api_key_id else ""

    @property
    def site_key(self) -> str:
        return f"site:{self.site}" if self.site else ""

    @property
    def visitors_key(self) -> str:
        return VISITORS if self.site else ""

    @property
    def visitor_key(self) -> str:
        return f"visitor:{self.visitor}" if self.visitor else ""

    @property
    def site_address_key(self) -> str:
        """Return the key of the visitor's address, which stays the same without their token."""
        if not (self.site and self.address):
            return ""
        return f"site_address:{self.site}:{self.address}"

    @property
    def address_key(self) -> str:
        return f"address:{self.address}" if self.address else ""

    @property
    def evaluation_key(self) -> str:
        return EVALUATION if self.is_evaluation else ""

    @property
    def individual_key(self) -> str:
        """Return the key of the meter that identifies a single person most closely."""
        keys = (
            self.user_key,
            self.site_address_key,
            self.visitor_key,
            self.address_key,
            self.evaluation_key,
        )
        return next(filter(None, keys), EVERYONE)

    def keys(self, group_ids: list[int]) -> list[str]:
        """Return the keys of all meters that count for this payer.

        The first one is shared by all payers, and meters are locked in this order, which rules out
        deadlocks.
        """
        own = [self.user_key, self.site_key, self.visitors_key, self.visitor_key]
        own += [self.site_address_key, self.address_key, self.api_key_key, self.evaluation_key]
        own += [group_key(each) for each in group_ids]
        return [EVERYONE, *sorted(filter(None, own))]


def api_key_key(key_id: int) -> str:
    return f"api_key:{key_id}"


def group_key(group_id: int) -> str:
    return f"group:{group_id}"


def names_nobody(key: str) -> bool:
    """Return whether a meter's key is of no single person, address or program."""
    return key in {EVERYONE, VISITORS, EVALUATION} or key.startswith(("group:", "site:"))
