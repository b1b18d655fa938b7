"""Find numbers that countries give to people, by their check digits.

Where a form and its check digits leave many other numbers valid, a word has to stand before it.
Left out are those with neither, such as Denmark's CPR number and most numbers of passports.
"""

import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

from chat.lib.personal_data.digits import WORD_DISTANCE
from chat.lib.personal_data.kinds import FoundValue, PersonalDataKind


class NationalId(NamedTuple):
    """How an ID looks, what checks it, and a pattern of the words before it; empty: none needed."""

    form: str
    module: str
    words: str = ""


_TAX = r"steuer|idnr|ident|\btin\b"
IDS = (
    NationalId(r"[1-9]\d ?\d{3} ?\d{3} ?\d{3}", "de.idnr", _TAX),
    NationalId(r"[12] ?\d\d ?\d\d ?(?:\d\d|2[AB]) ?\d{3} ?\d{3} ?\d\d", "fr.nir"),
    NationalId(r"\d{8}-?[A-Z]", "es.dni"),
    NationalId(r"[XYZ]-?\d{7}-?[A-Z]", "es.nie"),
    NationalId(r"[A-Z]{6}\d\d[A-Z]\d\d[A-Z]\d{3}[A-Z]", "it.codicefiscale"),
    NationalId(r"\d{9}|\d{4}\.\d\d\.\d{3}", "nl.bsn", r"bsn|burgerservice|sofi"),
    NationalId(r"\d\d\.\d\d\.\d\d-\d{3}[.-]\d\d", "be.nn"),
    NationalId(r"\d{11}", "be.nn", r"rijksregister|insz|niss|registre national"),
    NationalId(r"\d{11}", "pl.pesel", r"pesel"),
    NationalId(r"\d{3}\.\d{3}\.\d{3}-\d\d", "br.cpf"),
    NationalId(r"\d{11}", "br.cpf", r"cpf"),
    NationalId(r"(?:19|20)?\d{6}[-+]\d{4}", "se.personnummer", r"person|personnr|pnr"),
    NationalId(r"\d{6}[-+A-FU-Y]\d{3}[0-9A-Z]", "fi.hetu"),
    NationalId(r"\d{3} ?\d{3} ?\d{4}", "gb.nhs", r"nhs"),
    NationalId(r"\d{3}-\d\d-\d{4}|\d{9}", "us.ssn", r"ssn|social.security"),
    NationalId(r"\d{6} ?\d{5}", "no.fodselsnummer", r"f[øo]dsel|person|d-nummer"),
    NationalId(r"756\.?\d{4}\.?\d{4}\.?\d\d", "ch.ssn"),
    NationalId(r"\d{4} ?\d{6}", "at.vnr", r"sozialvers|svnr|sv-n|versicherungsn"),
    NationalId(r"\d{3} ?\d{3} ?\d{3}", "pt.nif", r"\bnif\b|contribuinte"),
    NationalId(r"\d{6}/\d{4}", "cz.rc"),
    NationalId(r"\d{7}[A-W][A-IW]?", "ie.pps", r"pps"),
    NationalId(r"\d{3}[ -]?\d{3}[ -]?\d{3}", "ca.sin", r"\bsin\b|\bnas\b|social.insurance"),
    NationalId(r"\d{3} ?\d{3} ?\d{3}", "au.tfn", r"tfn|tax.file"),
    NationalId(r"\d{4} ?\d{4} ?\d{4}", "in_.aadhaar", r"aadhaar|aadhar|uid"),
    NationalId(r"\d{17}[\dX]", "cn.ric"),
    NationalId(r"\d{11}", "tr.tckimlik", r"kimlik|\btc\b"),
    NationalId(r"[A-Z]{4}\d{6}[HM][A-Z]{5}[0-9A-Z]\d", "mx.curp"),
)  # fmt: skip
_EACH = [
    (each, re.compile(rf"(?<![\w.,/@#=+-])(?:{each.form})(?![\w/]|[-.,]\d)", re.ASCII))
    for each in IDS
]
_WORDS = {each.words: re.compile(each.words) for each in IDS if each.words}


def find(text: str) -> Iterator[FoundValue]:
    lowered = text.lower()
    wanted = {words for words, pattern in _WORDS.items() if pattern.search(lowered)}
    for each, form in _EACH:
        if each.words and each.words not in wanted:
            continue
        for match in form.finditer(text):
            if _is_one(each, match, text):
                yield FoundValue(PersonalDataKind.NATIONAL_ID, match.start(), match.end())


def _is_one(wanted: NationalId, match: re.Match[str], text: str) -> bool:
    if wanted.words:
        before = text[max(0, match.start() - WORD_DISTANCE) : match.start()].lower()
        if not _WORDS[wanted.words].search(before):
            return False
    return bool(_check(wanted.module).is_valid(match[0]))


@cache
def _check(module: str) -> Any:
    return import_module(f"stdnum.{module}")
