"""Personal data is found by its form and its check digits, and nothing else is taken for it."""

import weakref
from itertools import pairwise
from random import Random

import pytest

from chat.lib.personal_data import finder
from chat.lib.personal_data.finder import find, kinds_in


def found(text: str, region: str = "") -> list[tuple[str, str]]:
    return [(each.kind.value, text[each.start : each.end]) for each in find(text, region)]


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("email", "ada.lovelace+notes@mail.example.org"),
        ("email", "jörg@müller.example"),
        ("phone", "+49 171 2345678"),
        ("phone", "+49 (0) 171 2345678"),
        ("phone", "0049 30 901820"),
        ("phone", "+٤٩ ١٧١ ٢٣٤٥٦٧٨"),
        ("phone", "0171 2345678"),
        ("iban", "DE89 3704 0044 0532 0130 00"),
        ("iban", "GB82WEST12345698765432"),
        ("card", "4111 1111 1111 1111"),
        ("card", "3782-822463-10005"),
        ("id", "RSSMRA85T10A562S"),
        ("id", "12345678Z"),
        ("id", "390.533.447-05"),
        ("id", "1 85 05 78 006 084 91"),
    ],
)
@pytest.mark.parametrize("sentence", ["It is {}.", "({})", "Bitte: {}, danke!", "「{}」", "{}"])
def test_a_value_is_found_in_a_sentence(kind: str, value: str, sentence: str) -> None:
    assert found(sentence.format(value)) == [(kind, value)]


@pytest.mark.parametrize(
    ("text", "region"),
    [
        ("Call me at 2125551234", "US"),
        ("(212) 555-0123", "US"),
        ("Tel.: 612345678", "ES"),
        ("06 12 34 56 78", "FR"),
        ("01712345678", "DE"),
        ("(212) 555-0123x42", "US"),
    ],
)
def test_a_number_of_the_sites_region_is_found(text: str, region: str) -> None:
    assert [kind for kind, _value in found(text, region)] == ["phone"]
    assert found(text.replace("1", "x"), region) == []


@pytest.mark.parametrize(
    "text",
    [
        "DE89 3704 0044 0532 0130 01",  # wrong check digits
        "4111 1111 1111 1112",
        "RSSMRA85T10A562T",
        "0000 0000 0000 0000",
        "111222333",  # a number as any other, without a word that says what it is
        "2024-01-15 10:00:00",
        "06-05-15 14",
        "07:46:08 4648485069509",
        "192.168.100.200",
        "0.304799710181508",
        "1700000000",
        "0123456789012",
        "v1.2.3.4567890",
        "550e8400-e29b-41d4-a716-446655440000",
        "https://user@host.example.org/",
        "git@github.com:owner/name",
        "logo@2x.png",
        "@app.route",
        "a@b",
        "12,345,678.90",
        "sha256:0123456789abcdef0123456789",
    ],
)
@pytest.mark.parametrize("region", ["", "DE", "US"])
def test_what_only_looks_like_it_is_left_alone(text: str, region: str) -> None:
    assert found(text, region) == []


def test_a_word_before_a_number_says_what_it_is() -> None:
    assert found("My BSN is 111222333") == [("id", "111222333")]
    assert found("BSN" + " " * 60 + "111222333") == []


def test_several_numbers_in_a_row_are_told_apart() -> None:
    text = "+491712345678 +4930901820 01712345678"
    assert [value for _kind, value in found(text, "DE")] == text.split()


def test_a_text_that_was_read_is_not_kept() -> None:
    class KeptText(str):
        pass

    text = KeptText("Call +49 171 2345678")
    kept = weakref.ref(text)
    places = find(text)
    del text
    assert kept() is None
    assert find("Call +49 171 2345678") is places
    assert find("Call +49 171 2345678", "US") is not places


def test_nothing_is_counted_twice() -> None:
    text = "0171 2345678, 4111 1111 1111 1111, a@example.org, DE89370400440532013000"
    places = find(text, "DE")
    assert all(one.end <= two.start for one, two in pairwise(places))
    assert kinds_in(text, "DE") == {"phone": 1, "card": 1, "email": 1, "iban": 1}


@pytest.mark.parametrize("seed", range(20))
def test_a_long_text_has_the_same_values_in_pieces(seed: int) -> None:
    random = Random(seed)
    values = (
        "ada@example.org, ", "+49 171 2345678\n", "DE89 3704 0044 0532 0130 00 ", "BSN: 123456782; ",
        "4111 1111 1111 1111, ", "x" * 3_990, "word " * random.randrange(900), "1 2 " * 300,
    )  # fmt: skip
    text = "".join(random.choices(values, k=60))
    assert list(find(text, "DE")) == list(finder._find(text, "DE"))


def test_a_long_text_is_read_in_steps() -> None:
    steps = finder.find_in_steps("12 34 56 78 90, " * 10_000, "GB")
    assert sum(1 for _step in steps) == 160_000 / finder.PIECE_CHARS


def test_accounts_in_a_row_are_all_found() -> None:
    text = "DE89370400440532013000 GB82WEST12345698765432 and FR1420041010050500013M02606"
    assert kinds_in(text) == {"iban": 3}
    assert kinds_in("DE89 3704 0044 0532 0130 00 DE89 3704 0044 0532 0130 00") == {"iban": 2}
