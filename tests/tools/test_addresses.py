"""Which addresses of a text may be read: as they are written, without the text's punctuation."""

import pytest

from chat.tools.web.addresses import MAX_ADDRESSES, addresses_in

WRITTEN = {
    "See https://a.example/x.": "https://a.example/x",
    "(https://a.example/A_(b))": "https://a.example/A_(b)",
    "https://a.example/A_(b)": "https://a.example/A_(b)",
    "“https://a.example/x”": "https://a.example/x",
    "https://a.example/x#part, or": "https://a.example/x",
    "https://a.example/x" + ")" * 900: "https://a.example/x",
}


@pytest.mark.parametrize(("text", "address"), WRITTEN.items())
def test_an_address_is_known_as_it_is_written(text: str, address: str) -> None:
    assert address in addresses_in([text])


def test_punctuation_does_not_crowd_out_later_addresses() -> None:
    assert "https://b" in addresses_in(["https://a" + ")" * 1900 + " https://b"])


def test_only_the_first_addresses_are_known() -> None:
    many = (f"https://a.example/{number}" for number in range(3 * MAX_ADDRESSES))
    assert len(addresses_in(many)) == MAX_ADDRESSES
