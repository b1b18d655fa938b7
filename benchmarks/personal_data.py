"""Measure what of personal data is found: `python -m benchmarks.personal_data`.

Recall: generated values, valid by their check digits, in sentences of five languages. False alarms:
in texts without personal data. And the time, of prose and of what takes longest.
"""

import os
import random
import sys
import time
import uuid
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from pathlib import Path

import django
import phonenumbers
from phonenumbers import PhoneNumberFormat, PhoneNumberType
from stdnum import luhn
from stdnum.iso7064 import mod_97_10

from chat.lib.personal_data import finder
from chat.lib.personal_data.kinds import PersonalDataKind

SMALL = os.environ.get("BENCH") == "quick"
VALUES = 20 if SMALL else 400  # of each form
SOURCE_FILES = 50 if SMALL else 3000
TIMED_CHARS = 20_000 if SMALL else 200_000
ROOT = Path(__file__).parent.parent
SENTENCES = {
    "en": "You can use {} for that, if it is urgent.",
    "de": "Dafür nehmen Sie bitte {}, wenn es eilt.",
    "fr": "Pour cela, utilisez {}, si c’est urgent.",
    "es": "Para eso puede usar {}, si es urgente.",
    "it": "Per questo può usare {}, se è urgente.",
}
#: Countries whose people mostly write numbers without a country code.
NATIONAL = ("AT", "BE", "BR", "CH", "DE", "ES", "FR", "GB", "IN", "IT", "NL", "PL", "SE", "US")
IBANS = {"DE": "9" * 18, "FR": "9" * 23, "PL": "9" * 24, "NL": "ABNA" + "9" * 10, "AT": "9" * 16}
CARDS = {"4": 16, "51": 16, "2221": 16, "34": 15, "6011": 16, "36": 14, "62": 16}
#: A form for each ID: 9 is any digit, A any capital letter, and YMD a day. Before it, a word.
IDS = {
    "de.idnr": ("99 999 999 999", "Steuer-ID"),
    "fr.nir": ("1 YY 06 75 999 999 99", ""),
    "es.dni": ("99999999A", ""),
    "es.nie": ("X9999999A", ""),
    "nl.bsn": ("999999999", "BSN"),
    "be.nn": ("YY.MM.DD-999.99", ""),
    "pl.pesel": ("YYMMDD99999", "PESEL"),
    "br.cpf": ("999.999.999-99", ""),
    "se.personnummer": ("YYMMDD-9999", "personnummer"),
    "fi.hetu": ("DDMMYY-999A", ""),
    "gb.nhs": ("999 999 9999", "NHS number"),
    "us.ssn": ("999-99-9999", "SSN"),
    "no.fodselsnummer": ("DDMMYY 99999", "fødselsnummer"),
    "ch.ssn": ("756.9999.9999.99", ""),
    "ca.sin": ("999-999-999", "SIN"),
    "in_.aadhaar": ("9999 9999 9999", "Aadhaar"),
    "cn.ric": ("11010119YYMMDD9999", ""),
}
HOSTILE = (
    "1",
    "1 ",
    "(1",
    "+1 ",
    "@a.",
    "a@",
    "12345678\n",
    "123-456-7890, ",
    "+49 30 1, ",
    "DE89",
)


def emails(dice: random.Random) -> Iterator[str]:
    for _ in range(VALUES):
        name = "".join(dice.choices("abcdefghij._+-", k=8)).strip("._+-") or "a"
        name = name.replace("..", ".")
        yield f"x{name.replace('..', '.')}@{dice.choice(('example.org', 'mail.example.co.uk'))}"


def phones(form: int, regions: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield an example of each region's mobile and landline numbers, with the region."""
    for region in regions:
        for kind in (PhoneNumberType.MOBILE, PhoneNumberType.FIXED_LINE):
            number = phonenumbers.example_number_for_type(region, kind)
            if number:
                yield phonenumbers.format_number(number, form), region


def ibans(dice: random.Random) -> Iterator[str]:
    for number in range(VALUES):
        country = dice.choice(list(IBANS))
        rest = _filled(IBANS[country].replace("ABNA", "#"), dice).replace("#", "ABNA")
        whole = f"{country}{mod_97_10.calc_check_digits(f'{rest}{country}')}{rest}"
        yield _grouped(whole) if number % 2 else whole


def cards(dice: random.Random) -> Iterator[str]:
    for number in range(VALUES):
        prefix = dice.choice(list(CARDS))
        begin = prefix + _filled("9" * (CARDS[prefix] - 1 - len(prefix)), dice)
        whole = begin + str(luhn.calc_check_digit(begin))
        yield _grouped(whole) if number % 2 else whole


def ids(dice: random.Random) -> Iterator[str]:
    for module, (form, word) in IDS.items():
        check = import_module(f"stdnum.{module}")
        for _ in range(max(1, VALUES // len(IDS))):
            yield f"{word} {_valid(check.is_valid, form, dice)}".strip()


def _valid(is_valid: Callable[[str], bool], form: str, dice: random.Random) -> str:
    while True:
        value = _filled(form, dice)
        if is_valid(value):
            return value


def _filled(form: str, dice: random.Random) -> str:
    for mark, least, most in (("YY", 40, 99), ("MM", 1, 12), ("DD", 1, 28)):
        form = form.replace(mark, f"{dice.randint(least, most):02}")
    letters = {"9": "0123456789", "A": "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}
    return "".join(dice.choice(letters[each]) if each in letters else each for each in form)


def _grouped(text: str) -> str:
    return " ".join(text[place : place + 4] for place in range(0, len(text), 4))


def recall(name: str, kind: PersonalDataKind, values: Iterable[tuple[str, str]]) -> float:
    found = wanted = 0
    for value, region in values:
        digits = value.rpartition(" ")[2] if kind is PersonalDataKind.EMAIL else value[-6:]
        for sentence in SENTENCES.values():
            text = sentence.format(value)
            wanted += 1
            found += any(
                each.kind == kind and text[each.start : each.end].endswith(digits)
                for each in finder.find(text, region)
            )
    print(f"{name}: {found:,} of {wanted:,} found ({found / wanted:.1%})")
    return found / wanted


def harmless(dice: random.Random) -> Iterator[tuple[str, str]]:
    """Yield texts without personal data, by name."""
    documents = sorted((ROOT / "docs").rglob("*.md"))
    yield "our documents", "\n".join(each.read_text() for each in documents)
    source = sorted(Path(django.__file__).parent.rglob("*.py"))[:SOURCE_FILES]
    yield "Django's source code", "\n".join(each.read_text(errors="replace") for each in source)
    yield "lock files", (ROOT / "requirements.lock").read_text()
    rows = range(VALUES * 10)
    yield (
        "tables of numbers",
        "\n".join(
            f"{dice.randint(0, 10**6)}\t{dice.uniform(-1e3, 1e3):.6f}\t{dice.randint(0, 10**9):,}"
            for _ in rows
        ),
    )
    yield (
        "dates and times",
        "\n".join(
            f"{_filled('20', dice)}{_filled('YY-MM-DD', dice)} {_filled('DD:MM:DD', dice)}"
            f" {_filled('DD.MM.20', dice)}{dice.randint(10, 40)} {dice.randint(10**9, 2 * 10**9)}"
            for _ in rows
        ),
    )
    yield (
        "versions, addresses, UUIDs",
        "\n".join(
            f"v{_filled('9.99.999', dice)} 10.{_filled('99.9.99', dice)} "
            f"{uuid.UUID(int=dice.getrandbits(128))}"
            for _ in rows
        ),
    )
    yield (
        "tracking, order, article numbers",
        "\n".join(
            _filled(
                f"no. 999999999999, 1Z9999999999999999, 40999999999{n % 100:02}, A-99999999", dice
            )
            for n in rows
        ),
    )


def microseconds_per_char(text: str, region: str) -> float:
    began = time.perf_counter()
    finder.find(text, region)
    return (time.perf_counter() - began) * 1e6 / len(text)


def main() -> int:
    dice = random.Random(7)
    kinds, forms, plain = PersonalDataKind, PhoneNumberFormat, ""
    countries = sorted(phonenumbers.SUPPORTED_REGIONS)
    anywhere = [(each, plain) for each, _region in phones(forms.INTERNATIONAL, countries)]
    national = phones(forms.NATIONAL, NATIONAL)
    shares = [
        recall("email addresses", kinds.EMAIL, ((each, plain) for each in emails(dice))),
        recall("phone numbers with a country code", kinds.PHONE, anywhere),
        recall("phone numbers of the site's country", kinds.PHONE, national),
        recall("IBANs", kinds.IBAN, ((each, plain) for each in ibans(dice))),
        recall("payment cards", kinds.CARD, ((each, plain) for each in cards(dice))),
        recall("national IDs", kinds.NATIONAL_ID, ((each, plain) for each in ids(dice))),
    ]
    strangers = [(each, plain) for each, _region in phones(forms.NATIONAL, NATIONAL)]
    recall("phone numbers of a country, if the site names none", kinds.PHONE, strangers)
    for name, text in harmless(dice):
        for region in ("", "DE", "US"):
            counts = {str(kind): count for kind, count in finder.kinds_in(text, region).items()}
            where = f"{name} ({len(text):,} characters, {region or 'no country'})"
            print(f"false alarms in {where}: {counts}")
    prose = (ROOT / "docs/review.md").read_text()
    print(f"prose: {microseconds_per_char(prose, 'DE'):.2f} ms for 1,000 characters")
    worst = max(microseconds_per_char(each * (TIMED_CHARS // len(each)), "US") for each in HOSTILE)
    print(f"the slowest of {len(HOSTILE)} hostile texts: {worst:.2f} ms for 1,000 characters")
    return 0 if min(shares) > 0.95 else 1


if __name__ == "__main__":
    sys.exit(main())
