"""Tests that share a site form a group, which runs in one test process."""

import re

import pytest

from tests.support.servers.server import ROOT


@pytest.mark.xdist_group("together")
def test_the_group_is_part_of_the_test_id_that_xdist_sees(request: pytest.FixtureRequest) -> None:
    grouped = getattr(request.config.option, "loadgroup", False)
    assert request.node.nodeid.endswith("@together") == grouped


def test_each_person_of_the_browser_tests_is_used_in_one_file() -> None:
    """The files share a site, on which an address can sign up only once."""
    of: dict[str, set[str]] = {}
    for file in (ROOT / "tests/browser").rglob("*.py"):
        text = file.read_text()
        if file.name != "conftest.py" and "\ndef site(" in text:
            continue  # it has a site of its own
        for email in re.findall(r'sign_in\(site, "([a-z-]+@example\.org)"', text):
            of.setdefault(email, set()).add(file.name)
    assert len(of) > 20
    assert {email: files for email, files in of.items() if len(files) > 1} == {}
