"""People are found by parts of their names and addresses, in any case and alphabet."""

import pytest

from chat.accounts.models import User
from chat.review.members.member_list import MemberFacets, people
from chat.review.staff import privacy
from tests.review.conftest import staff_context_of


@pytest.mark.parametrize(
    "text",
    [
        "łukasz", "Łukasz", "ŁUKASZ", "łukasz żak", "ŻAK Łukasz", "kasz", "иван", "ИВАН", "Łukasz Żak иван",
        "school.example", "lz@", "LZ@School",
    ],
)  # fmt: skip
def test_both_searches_find_a_person(administrator: User, text: str) -> None:
    made = User.objects.create_user("lz@school.example", "tide table", name="Łukasz Żak Иван")
    assert list(people(MemberFacets(text))) == [made]
    assert privacy.find_users(staff_context_of(administrator).reviewer, text) == [made.pk]


@pytest.mark.parametrize("text", ["łukas ż q", "school.org", "@lz"])
def test_other_texts_find_nobody(administrator: User, text: str) -> None:
    User.objects.create_user("lz@school.example", "tide table", name="Łukasz Żak")
    assert not people(MemberFacets(text))
    assert not privacy.find_users(staff_context_of(administrator).reviewer, text)


@pytest.mark.parametrize(
    "text", ["strauß", "strauss", "STRAUSS", "Strauß", "grossmann", "großmann"]
)
def test_a_sharp_s_is_found_however_it_is_typed(administrator: User, text: str) -> None:
    made = User.objects.create_user("a@school.example", "tide table", name="Strauß Grossmann")
    assert list(people(MemberFacets(text))) == [made]
    assert privacy.find_users(staff_context_of(administrator).reviewer, text) == [made.pk]
