"""Which mutants are drawn."""

from pathlib import Path

import pytest

from tests.mutants import explained, sample, scripts
from tests.mutants.targets import GROUPS, files_by_group
from tests.support.servers.server import ROOT

FILES = {"small": ["small.py"], "large": ["large.py", "other.py"]}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "small.py").write_text("a = 1\nb = 2\n")
    for name in ("large.py", "other.py"):
        (tmp_path / name).write_text("".join(f"a{n} = {n}\n" for n in range(30)))
    return tmp_path


def drawn(tree: Path, count: int, seed: int = 1, only: str = "") -> dict[str, list[str]]:
    found = sample.draw(FILES, count, seed, tree, only)
    return {
        group: [f"{each.path}:{each.line}" for each in group_] for group, group_ in found.items()
    }


def test_a_seed_always_draws_the_same(tree: Path) -> None:
    assert drawn(tree, 10) == drawn(tree, 10)
    assert drawn(tree, 10) != drawn(tree, 10, seed=2)


def test_groups_share_the_number_and_small_ones_leave_theirs_to_others(tree: Path) -> None:
    found = drawn(tree, 12)
    assert {group: len(places) for group, places in found.items()} == {"small": 2, "large": 10}
    assert len({place for places in found.values() for place in places}) == 12


def test_one_module_can_be_chosen(tree: Path) -> None:
    assert set(drawn(tree, 99, only="small")) == {"small"}
    found = drawn(tree, 99, only="oth*.py")["large"]
    assert len(found) == 30
    assert all(place.startswith("other.py:") for place in found)


def test_each_group_has_modules_and_no_module_is_in_two() -> None:
    found = files_by_group()
    assert found.keys() == GROUPS.keys()
    assert all(found.values())
    paths = [path for paths in found.values() for path in paths]
    assert len(paths) == len(set(paths)) > 100


def test_scripts_have_mutants_and_tests() -> None:
    path = "static/js/lib/sse.js"
    found = scripts.script_mutants(ROOT, [path])
    changed = {(each.scope, each.after) for each in found}
    assert ("SseDecoder.feed", "if (false) this.#field(line);") in changed
    assert all(each.before != each.after for each in found)
    assert scripts.is_valid(found[0])
    assert "tests/js/sse.test.mjs" in scripts.tests_importing(ROOT, path)


def test_each_explained_mutant_is_one_of_the_present_code() -> None:
    assert explained.stale(explained.reasons()) == []


def test_an_explanation_is_out_of_date_when_the_code_changes(tree: Path) -> None:
    known = ("small.py", "", "a = 1", "a = 2")
    gone = ("missing.py", "", "a = 1", "a = 2")
    assert explained.stale([known, gone], tree) == [gone]
    (tree / "small.py").write_text("a = 3\n")
    assert explained.stale([known], tree) == [known]
