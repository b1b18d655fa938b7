"""A citation of a web page opens it at the words of the passage."""

import pytest

from chat.knowledge.text_fragments import linked, quoted_words

PAGE = "https://www.shop.example/delivery"


@pytest.mark.parametrize(
    ("text", "fragment"),
    [
        ("Delivery takes nine days.", "Delivery%20takes%20nine%20days."),
        (
            "# How we deliver\n\nCanoes, kayaks & paddles: self-made.\nWe deliver on Mondays.",
            "How%20we%20deliver,We%20deliver%20on%20Mondays.",
        ),
        ("self-made, cut & dried", "self%2Dmade%2C%20cut%20%26%20dried"),
        ("a\u202eb\u2066 hidden order\x00 of words", "ab%20hidden%20order%EF%BF%BD%20of%20words"),
        ("Paddle \U0001f6f6 on the lake", "Paddle%20%F0%9F%9B%B6%20on%20the%20lake"),
        ("Half \ud83d of a pair", "Half%20%EF%BF%BD%20of%20a%20pair"),
        (
            "[a link](https://x.example) here\nThe next line is plain.",
            "The%20next%20line%20is%20plain.",
        ),
        ("| a | table |\n|---|---|\n| 1 | 2 |", None),
        ("x" * 5000, None),
        ("", None),
        (
            "東京都の配送料は無料です。",
            "%E6%9D%B1%E4%BA%AC%E9%83%BD%E3%81%AE%E9%85%8D%E9%80%81%E6%96%99%E3%81%AF%E7%84%A1%E6%96%99%E3%81%A7%E3%81%99%E3%80%82",
        ),
    ],
)
def test_hostile_words_stay_within_their_part(text: str, fragment: str | None) -> None:
    expected = PAGE if fragment is None else f"{PAGE}#:~:text={fragment}"
    assert linked(PAGE, quoted_words(text)) == expected


def test_a_long_passage_is_named_by_its_first_and_last_words() -> None:
    words = quoted_words(" ".join(f"word{number}" for number in range(500)))
    assert words == (
        "word0 word1 word2 word3 word4 word5",
        "word494 word495 word496 word497 word498 word499",
    )


def test_a_page_with_a_fragment_keeps_it() -> None:
    assert linked(f"{PAGE}#prices", ("From here",)) == f"{PAGE}#prices:~:text=From%20here"


@pytest.mark.parametrize(
    ("anchor", "fragment"),
    [
        ("prices", "prices:~:text=From%20here"),
        ("a:~:text=b&c", "a%3A~%3Atext%3Db%26c:~:text=From%20here"),
        ("price-für_\u00e4", "price-f%C3%BCr_%C3%A4:~:text=From%20here"),
        ('"><script>', "%22%3E%3Cscript%3E:~:text=From%20here"),
        ("\ud83d", "%3F:~:text=From%20here"),
        ("x" * 101, ":~:text=From%20here"),
        ("", ":~:text=From%20here"),
    ],
)
def test_the_anchor_of_the_heading_is_before_the_words(anchor: str, fragment: str) -> None:
    assert linked(PAGE, ("From here",), anchor) == f"{PAGE}#{fragment}"
    assert linked("javascript:alert(1)", ("From here",), anchor) == ""


@pytest.mark.parametrize("address", ["javascript:alert(1)", "data:text/html,x", "ftp://x", ""])
def test_what_is_no_web_page_has_no_link(address: str) -> None:
    assert linked(address, ("Words",)) == ""
