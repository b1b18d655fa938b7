"""Values are masked by placeholders, and come back from pieces of any size."""

import json
from itertools import pairwise
from random import Random

import pytest

from chat.lib.personal_data.placeholders import MAX_LENGTH, Placeholders, Restorer, mask_all
from chat.lib.worker_thread import finished

TEXT = "Write to ada@example.org or ADA@example.org, or call +49 171 2345678."


def test_the_same_value_has_the_same_placeholder() -> None:
    placeholders = Placeholders()
    masked = placeholders.mask(TEXT)
    assert masked == "Write to [email 1] or [email 1], or call [phone 1]."
    assert placeholders.mask("+49 (171) 2345678, bob@example.org") == "[phone 1], [email 2]"
    assert placeholders.restore("[Email 1], [phone 1], [phone 7]") == (
        "ada@example.org, +49 171 2345678, [phone 7]"
    )


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("info@my-shop.de", "info@myshop.de"),
        ("müller@example.org", "möller@example.org"),
        ("first_last@example.org", "firstlast@example.org"),
        ("+٤٩ ١٧١ ٢٣٤٥٦٧٨", "+٤٩ ١٧١ ٢٣٤٥٦٧٩"),
        ("+49 171 2345678", "+49 171 2345679"),
    ],
)
def test_values_of_different_people_never_share_a_placeholder(one: str, other: str) -> None:
    placeholders = Placeholders()
    masked = placeholders.mask(f"{one} and {other}")
    assert "1]" in masked
    assert "2]" in masked
    assert placeholders.restore(masked) == f"{one} and {other}"


def test_what_people_have_written_themselves_is_nobodys_placeholder() -> None:
    texts = ["The form says [email 1] and [email 3].", "ada@example.org, bob@example.org"]
    placeholders = Placeholders()
    for each in texts:
        placeholders.avoid(each)
    assert [placeholders.mask(each) for each in texts] == [texts[0], "[email 2], [email 4]"]
    assert placeholders.restore(texts[0]) == texts[0]
    assert finished(mask_all(texts, "")) == [texts[0], "[email 2], [email 4]"]


@pytest.mark.parametrize("seed", range(20))
def test_a_placeholder_may_be_split_anywhere(seed: int) -> None:
    random = Random(seed)
    placeholders = Placeholders()
    placeholders.mask(TEXT)
    whole = "See [1], [email 1], [emails], [phone 1][email 1] \\[email 1\\] [[phone 1]] \\\\ and a list [a, [ema"
    cuts = sorted(random.sample(range(1, len(whole)), 15))
    pieces = [whole[one:two] for one, two in pairwise([0, *cuts, len(whole)])]
    restorer, shown, fed = Restorer(placeholders), "", 0
    for each in pieces:
        shown += restorer.feed(each)
        fed += len(each)
        assert len(restorer._held) <= MAX_LENGTH
    shown += restorer.rest()
    assert shown == placeholders.restore(whole)
    assert "ada@example.org" in shown


def test_text_without_brackets_is_never_held_back() -> None:
    restorer = Restorer(Placeholders())
    assert [restorer.feed(each) for each in ("An ", "answer", ".")] == ["An ", "answer", "."]
    assert restorer.feed("[") == ""
    assert restorer.feed("see") == "[see"


def test_json_stays_json() -> None:
    arguments = {"to": ["ada@example.org"], "card": 4111111111111111, "n": 3, "is": True}
    placeholders = Placeholders()
    masked = finished(placeholders.mask_json(json.dumps(arguments)))
    assert json.loads(masked) == {"to": ["[email 1]"], "card": "[card 1]", "n": 3, "is": True}
    assert json.loads(placeholders.restore(masked))["to"] == ["ada@example.org"]
    assert finished(placeholders.mask_json('{"n": 1.0 }')) == '{"n": 1.0 }'
    assert finished(placeholders.mask_json("no JSON: ada@example.org")) == "no JSON: [email 1]"


@pytest.mark.parametrize("depth", [100, 400, 700, 100_000])
def test_json_may_be_as_deep_as_it_likes(depth: int) -> None:
    text = "[" * depth + '"ada@example.org"' + "]" * depth
    masked = finished(Placeholders().mask_json(text))
    assert masked == text.replace("ada@example.org", "[email 1]")
