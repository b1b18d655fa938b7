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
    for file in (ROOT / "tests/browser").glob("test_*.py"):
        for email in re.findall(r'"([a-z-]+@example\.org)"', file.read_text()):
            of.setdefault(email, set()).add(file.name)
    shared = {"alice@example.org"}  # signed in once for all: conftest.py
    assert {
        email: files for email, files in of.items() if len(files) > 1 and email not in shared
    } == {}
