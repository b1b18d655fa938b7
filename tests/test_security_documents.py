"""The table of OWASP ASVS 5.0.0, level 1, is complete, and what it names as proof exists.

Which names in documents exist is also checked for all of them, in test_docs.py.
"""

import re
from collections import Counter

import pytest

from tests.support.servers.server import ROOT

ASVS = (ROOT / "docs/asvs.md").read_text()
THREATS = (ROOT / "docs/threat_model.md").read_text()
#: The requirements of level 1: the sections, and how many of the first in each are of this level.
#: In the standard, they are the first ones of each section.
SECTIONS = {
    "1.2": 5, "1.3": 2, "1.5": 1, "2.1": 1, "2.2": 2, "2.3": 1, "3.2": 2, "3.3": 1, "3.4": 2,
    "3.5": 3, "4.1": 1, "4.4": 1, "5.2": 2, "5.3": 2, "6.1": 1, "6.2": 8, "6.3": 2, "6.4": 2,
    "7.2": 4, "7.4": 2, "8.1": 1, "8.2": 2, "8.3": 1, "9.1": 3, "9.2": 1, "10.4": 5, "11.3": 2,
    "11.4": 1, "12.1": 1, "12.2": 2, "13.4": 1, "14.2": 1, "14.3": 1, "15.1": 1, "15.2": 1, "15.3": 1,
}  # fmt: skip
LEVEL_1 = [f"{section}.{each}" for section, last in SECTIONS.items() for each in range(1, last + 1)]
VERDICTS = {"met", "not applicable", "not met"}
TABLE, _, GAPS = ASVS.partition("\n## Not met\n")
ROWS = re.findall(r"^\| (\d+\.\d+\.\d+) \| (.+?) \| (.+?) \| (.*) \|$", TABLE, re.MULTILINE)
#: A test, a file or folder, a setting, or another document.
PROOF = re.compile(
    r"`tests/[\w/]+\.py::\w+`|`[\w./-]+/[\w./-]*`|`[A-Z][A-Z_]+`|`[\w-]+\.\w+`|\]\([^)]+\)"
)


def test_each_requirement_is_in_the_table_once_and_in_order() -> None:
    assert len(LEVEL_1) == 70
    assert [number for number, *_ in ROWS] == LEVEL_1


def test_each_row_has_a_verdict_and_says_why() -> None:
    for number, requirement, verdict, why in ROWS:
        assert verdict in VERDICTS, number
        assert requirement.strip(), number
        assert why.strip(), number


def test_what_is_met_has_a_proof() -> None:
    unproved = [
        number for number, _, verdict, why in ROWS if verdict == "met" and not PROOF.search(why)
    ]
    assert unproved == []


def test_what_is_not_met_is_explained_at_the_end() -> None:
    explained = re.findall(r"^\| (\d+\.\d+\.\d+) \|", GAPS, re.MULTILINE)
    assert explained == [number for number, _, verdict, _ in ROWS if verdict == "not met"]


def test_the_counts_are_right() -> None:
    count = Counter(verdict for _, _, verdict, _ in ROWS)
    words = "**Met: {met}. Not applicable: {not applicable}. Not met: {not met}.**"
    assert words.format_map(count) in ASVS


@pytest.mark.parametrize("text", [ASVS, THREATS], ids=["asvs", "threat model"])
def test_tests_and_files_exist(text: str) -> None:
    tests = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", text)
    assert tests
    for file, name in tests:
        assert re.search(
            rf"^\s*(?:async )?def {name}\(", (ROOT / file).read_text(), re.MULTILINE
        ), name
    tops = "chat|deploy|docs|project|static|templates|tests"
    for name in re.findall(rf"`((?:{tops})/[\w./-]*)`", text):
        assert (ROOT / name).exists(), name
    for name in re.findall(r"`([\w-]+\.(?:toml|js|txt|lock|json))`", text):
        assert (ROOT / name).exists(), name


def test_the_threat_model_is_short() -> None:
    assert len(THREATS.splitlines()) <= 150


def test_the_git_history_is_out_of_reach() -> None:
    """ASVS 13.4.1: the image is built without it, and systemd hides it from the site."""
    ignored = (ROOT / ".dockerignore").read_text().splitlines()
    copied = [line for line in ignored if line.startswith("!")]
    assert "*" in ignored
    assert [line for line in copied if line.startswith("!.")] == []
    unit = (ROOT / "deploy/systemd/runnel.service").read_text()
    folder = re.search(r"^WorkingDirectory=(.+)$", unit, re.MULTILINE)
    assert folder
    assert f"\nInaccessiblePaths=-{folder[1]}/.git\n" in unit
