"""The most specific limit for each member applies; all other limits apply in addition."""

import pytest
from django.core.exceptions import ValidationError

from chat.accounts.models import User
from chat.quotas.limits import effective_limits
from chat.quotas.models import Limit
from chat.quotas.payer import Payer

ALICE = Payer(user_id=1, address="192.0.2.7")
PUPILS, TEACHERS = 10, 20


def limit(scope: str, amount: int, measure: str = "tokens", **narrowed: object) -> Limit:
    return Limit(scope=scope, measure=measure, amount=amount, **narrowed)


def held(payer: Payer, groups: list[int], *limits: Limit) -> dict[str, int]:
    return {bound.key: bound.most for bound in effective_limits(payer, groups, limits)}


@pytest.mark.parametrize("order", [1, -1])
def test_a_members_own_limit_overrides_those_of_groups_and_of_everybody(order: int) -> None:
    limits = [
        limit("member", 10),
        limit("member", 99, group_id=PUPILS),
        limit("member", 5, user_id=1),
    ]
    assert held(ALICE, [PUPILS], *limits[::order]) == {"user:1": 5}
    assert held(Payer(user_id=2), [PUPILS], *limits[::order]) == {"user:2": 99}
    assert held(Payer(user_id=2), [], *limits[::order]) == {"user:2": 10}


@pytest.mark.parametrize("order", [1, -1])
def test_the_more_generous_of_two_groups_applies(order: int) -> None:
    limits = [limit("member", 50, group_id=PUPILS), limit("member", 80, group_id=TEACHERS)]
    assert held(ALICE, [PUPILS, TEACHERS], *limits[::order]) == {"user:1": 80}


def test_shared_limits_apply_in_addition() -> None:
    limits = [
        limit("everyone", 1000),
        limit("group", 500, group_id=PUPILS),
        limit("group", 1, group_id=TEACHERS),
        limit("address", 300),
        limit("member", 10),
    ]
    expected = {"everyone": 1000, "group:10": 500, "address:192.0.2.7": 300, "user:1": 10}
    assert held(ALICE, [PUPILS], *limits) == expected


def test_a_sites_own_limit_overrides_that_of_all_sites() -> None:
    vera = Payer(site="shop", visitor="v1")
    limits = [
        limit("visitor", 10),
        limit("visitor", 3, site="shop"),
        limit("site", 70),
        limit("site", 9, site="other"),
    ]
    assert held(vera, [], *limits) == {"visitor:v1": 3, "site:shop": 70}


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize(("by_staff", "by_owner"), [(10, 3), (10, 500)])
def test_an_owners_limit_applies_in_addition_and_raises_nothing(
    order: int, by_staff: int, by_owner: int
) -> None:
    limits = [
        limit("visitor", 99),
        limit("visitor", by_staff, site="shop"),
        limit("visitor", by_owner, site="shop", by_owner=True),
    ]
    found = effective_limits(Payer(site="shop", visitor="v1"), [], limits[::order])
    assert sorted(bound.most for bound in found) == sorted([by_staff, by_owner])


@pytest.mark.django_db
def test_the_form_refuses_a_second_limit_of_the_same_kind() -> None:
    limit("site", 5).save()
    with pytest.raises(ValidationError, match="This limit already exists"):
        limit("site", 7).full_clean(exclude={"by_owner"})
    limit("site", 7, by_owner=True, site="shop").full_clean()


def test_amounts_are_stored_as_whole_numbers_of_small_units() -> None:
    found = effective_limits(
        ALICE, [], [limit("everyone", 2, "dollars"), limit("everyone", 3, "neurons")]
    )
    assert {bound.measure: bound.most for bound in found} == {"dollars": 2_000_000, "neurons": 3000}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("scope", "narrowed", "field"),
    [
        ("group", {}, "group"),
        ("everyone", {"group_id": PUPILS}, "group"),
        ("group", {"group_id": PUPILS, "user_id": 1}, "user"),
        ("member", {"site": "shop"}, "site"),
    ],
)
def test_a_limit_with_a_field_that_its_scope_does_not_use_is_refused(
    scope: str, narrowed: dict[str, object], field: str
) -> None:
    with pytest.raises(ValidationError) as caught:
        limit(scope, 1, **narrowed).clean()
    assert field in caught.value.message_dict


@pytest.mark.django_db
def test_the_database_allows_one_limit_of_each_kind(alice: User) -> None:
    limit("member", 5, user=alice).save()
    with pytest.raises(ValidationError, match="Edit it instead"):
        limit("member", 7, user=alice).full_clean()
    limit("member", 7).full_clean()
