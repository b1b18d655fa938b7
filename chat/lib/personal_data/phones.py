"""Decide whether a run of digits is a phone number, with the numbering plans of all countries.

A number with “+” or 00 and a country code is one anywhere. Without, it is one of the site's region,
and looks like it: with the region's trunk prefix, grouped as its numbers are, or after a word.
"""

import re
from functools import cache
from typing import Any

from chat.lib.personal_data.digits import DigitRun

MAX_PHONE_DIGITS = 16
#: Of a national number that nothing separates: article numbers have 13.
MAX_PLAIN_DIGITS = 12
#: Before a number, in the languages that people mostly write here.
_WORDS = re.compile(
    r"(?<!\w)(?:phone|tel|call|mobile|cell|fax|whatsapp|sms|text me|telefon|tel[ée]fono|telefone"
    r"|handy|mobil|ruf|anruf|m[óo]vil|celular|t[ée]l[ée]phone|appele|portable|cellulare|chiama|bel"
    r"|mobiel"
    r"|هاتف|جوال|تليفون|موبايل|телефон|тел|звоните|電話|电话|手机|전화)"
)
#: Of a site without a region: grouped, with a leading zero, an area code and six digits or more.
_ANYWHERE = re.compile(r"\(?0[1-9]\d{1,4}\)?[ /-]\d(?:[ -]?\d){4,8}")
#: Dates, perhaps with an hour, IP addresses and decimal fractions.
_OTHERS = re.compile(
    r"(?:19|20)\d\d([-./ ])(?:0?\d|1[0-2])\1[0-3]?\d(?!\d).*"
    r"|[0-3]?\d([-./])[0-3]?\d\2\d\d(?:\d\d)?(?: \d\d?)?"
    r"|(?:\d{1,3}\.){3}\d{1,3}"
    r"|\d{1,3}\.\d+"
)


def is_phone(run: DigitRun, region: str) -> bool:
    if len(run.digits) > MAX_PHONE_DIGITS or _OTHERS.fullmatch(run.text):
        return False
    if "+" in run.text[:3]:
        return _is_valid(f"+{run.digits}", "")
    if run.digits.startswith("00"):
        return _is_valid(f"+{run.digits[2:]}", "")
    if not region:
        return bool(_ANYWHERE.fullmatch(run.text))
    return _is_valid(run.digits, region) and _looks_national(run, region)


def is_region(code: str) -> bool:
    """Return whether the numbers of this country are known."""
    return code in _library().SUPPORTED_REGIONS


def _looks_national(run: DigitRun, region: str) -> bool:
    trunk = _library().ndd_prefix_for_region(region, True)
    has_trunk = bool(trunk) and run.digits.startswith(trunk) and trunk != "1"
    if has_trunk and run.is_plain and len(run.digits) > MAX_PLAIN_DIGITS:
        has_trunk = False
    if has_trunk or _WORDS.search(run.before):
        return True
    return not run.is_plain and _is_grouped(run.text, region)


def _is_grouped(text: str, region: str) -> bool:
    """Return whether the digits are grouped as people of the region do."""
    library = _library()
    matcher = library.PhoneNumberMatcher(
        text, region, leniency=library.Leniency.STRICT_GROUPING, max_tries=2
    )
    return bool(matcher.has_next())


def _is_valid(digits: str, region: str) -> bool:
    library = _library()
    try:
        number = library.parse(digits, region or None)
    except library.NumberParseException:
        return False
    return bool(library.is_valid_number(number))


@cache
def _library() -> Any:
    """Return the library, which few processes need and takes a twentieth of a second to load."""
    import phonenumbers

    return phonenumbers
