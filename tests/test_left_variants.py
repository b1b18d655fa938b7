"""`make test` runs some variants of a test that uses the database, and `make test-long` all."""

import pytest

from tests.support.variants import SOME_OF_DATABASE, spread


@pytest.mark.parametrize("count", [0, 1, SOME_OF_DATABASE])
def test_few_variants_are_all_run(count: int) -> None:
    assert spread(count, SOME_OF_DATABASE) == set(range(count))


@pytest.mark.parametrize("count", [5, 7, 16, 137])
def test_of_many_variants_the_first_the_last_and_some_between_are_run(count: int) -> None:
    chosen = spread(count, SOME_OF_DATABASE)
    assert len(chosen) == SOME_OF_DATABASE
    assert {0, count - 1} <= chosen


def test_each_value_of_a_second_parameter_is_among_them() -> None:
    assert {place % 2 for place in spread(16, SOME_OF_DATABASE)} == {0, 1}


@pytest.mark.parametrize("variant", range(SOME_OF_DATABASE + 1))
def test_without_the_database_each_variant_is_run(
    request: pytest.FixtureRequest, variant: int
) -> None:
    assert not request.node.get_closest_marker("long")


@pytest.mark.parametrize("variant", range(SOME_OF_DATABASE + 1))
def test_with_the_database_a_variant_in_the_middle_is_long(
    request: pytest.FixtureRequest, transactional_db: None, variant: int
) -> None:
    is_left = variant not in spread(SOME_OF_DATABASE + 1, SOME_OF_DATABASE)
    assert bool(request.node.get_closest_marker("long")) is is_left


@pytest.mark.every_variant
@pytest.mark.parametrize("variant", range(SOME_OF_DATABASE + 1))
def test_behaviours_of_their_own_are_all_run(
    request: pytest.FixtureRequest, transactional_db: None, variant: int
) -> None:
    assert not request.node.get_closest_marker("long")
