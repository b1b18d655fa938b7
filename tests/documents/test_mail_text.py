"""What somebody wrote in a reply is found, and nothing of it is lost."""

import pytest

from chat.documents.reader.mail_text import reply_in

OWN = ["noreply@shop.example", "@in.shop.example"]
QUOTED = "> It is 20 dollars.\n> --\n> Stop these emails: https://shop.example/\n"
INTRODUCTIONS = {
    "Gmail": "On Sat, Nov 28, 2026 at 5:44 PM Shop <noreply@shop.example> wrote:",
    "Gmail, two lines": "On Sat, Nov 28, 2026 at 5:44 PM Shop\n<noreply@shop.example> wrote:",
    "Apple": "On 28 Nov 2026, at 17:44, Shop <noreply@shop.example> wrote:",
    "Thunderbird": "On 28/11/26 17:44, Shop wrote:",
    "German": "Am 28.11.26 um 17:44 schrieb Shop:",
    "French": "Le sam. 28 nov. 2026 à 17:44, Shop <noreply@shop.example> a écrit :",
    "Spanish": "El sáb, 28 nov 2026 a las 17:44, Shop (<noreply@shop.example>) escribió:",
    "Arabic": "في السبت، 28 نوفمبر 2026 في 17:44 كتب ‪Shop‬‏ <‪noreply@shop.example‬‏>:",
    "Japanese": "2026年11月28日(土) 17:44 Shop <noreply@shop.example>:",
}


@pytest.mark.parametrize("program", INTRODUCTIONS)
@pytest.mark.parametrize("gap", ["\n", "\n\n"])
def test_the_quotation_at_the_end_is_removed_with_its_introduction(program: str, gap: str) -> None:
    text = f"Yes, please.\n\nVera\n\n{INTRODUCTIONS[program]}{gap}{QUOTED}"
    assert reply_in(text) == "Yes, please.\n\nVera"
    assert reply_in(text.replace("\n", "\r\n")) == "Yes, please.\n\nVera"


@pytest.mark.parametrize("program", INTRODUCTIONS)
def test_an_answer_below_the_only_quotation_is_what_was_written(program: str) -> None:
    text = f"{INTRODUCTIONS[program]}\n{QUOTED}\nYes, please.\n\nVera\n-- \nVera Lake\n"
    assert reply_in(text) == "Yes, please.\n\nVera"


OUTLOOK = """Yes, please.

________________________________
From: Shop <someone@elsewhere.example>
Sent: Saturday, November 28, 2026 5:44 PM
To: Vera <vera@example.org>
Subject: Shop has replied to you

It is 20 dollars.
"""
ORIGINALS = {
    "Outlook": OUTLOOK,
    "of words": OUTLOOK.replace("_" * 32, "-----Original Message-----"),
    "German": OUTLOOK.replace("_" * 32, "-----Ursprüngliche Nachricht-----")
    .replace("From", "Von")
    .replace("Sent: Saturday, November 28, 2026 5:44 PM", "Gesendet: Samstag, 28.11.2026 17:44"),
    "without a line": OUTLOOK.replace("_" * 32 + "\n", "").replace(
        "someone@elsewhere", "noreply@shop"
    ),
    "bold": OUTLOOK.replace("_" * 32 + "\n", "").replace(
        "From: Shop <someone@elsewhere.example>", "**From:** Shop <reply+ab2@in.shop.example>"
    ),
}


@pytest.mark.parametrize("name", ORIGINALS)
def test_an_original_that_is_not_quoted_is_removed(name: str) -> None:
    assert reply_in(ORIGINALS[name], OWN) == "Yes, please."


KEPT = {
    "comments": "> Which colour?\nBlue.\n> How many?\nTwo.",
    "comments below an introduction": "Hello,\n> Which colour?\nBlue.\n> How many?\nTwo.",
    "only a quotation": "> It is 20 dollars.",
    "words before a quotation": "In 2026 I ordered these:",
    "a form": "My data:\nName: Vera\nEmail: vera@example.org\nPhone: 12345\nThanks",
    "a form below a line": "My data\n__________\nName: Vera\nOrder: 2026\nPhone: 12345",
    "dashes": "First part\n--\nSecond part\n---\nThird part",
    "only a signature": "-- \nVera",
    "an arrow": "Go to Settings -> Orders -> New",
    "an emoji": "👍",
    "a question mark": "?",
    "a time": "Call me at 17:44 or 2026-11-28:\n\n12345",
    "a rule": "Before\n________________________________\nAfter",
    "a signature above a comment": "Hello\n-- \nVera\n\n> Which colour?\nBlue.",
}


@pytest.mark.parametrize("name", KEPT)
def test_what_may_be_the_senders_own_words_is_kept(name: str) -> None:
    assert reply_in(KEPT[name], OWN) == KEPT[name].replace("-- \n", "--\n")


def test_words_directly_above_a_quotation_are_kept() -> None:
    assert reply_in("I ordered 2 of these:\n> kayak") == "I ordered 2 of these:"
    text = "Thanks!\nOn 28 Nov 2026, at 17:44, Shop wrote:\n> It is 20 dollars."
    assert reply_in(text) == "Thanks!"


def test_a_signature_is_removed_above_and_below_the_original() -> None:
    introduction = INTRODUCTIONS["Gmail"]
    assert reply_in(f"Yes.\n-- \nVera Lake\n\n{introduction}\n{QUOTED}") == "Yes."
    assert reply_in("Yes.\n-- \nVera Lake\n+49 123") == "Yes."
