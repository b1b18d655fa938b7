"""Nothing searches for garbage while the site is loaded, and somebody does afterwards."""

import gc

import pytest

from project.loading import collection_paused


def test_garbage_is_collected_again_afterwards() -> None:
    with collection_paused():
        assert not gc.isenabled()
    assert gc.isenabled()


def test_what_was_loaded_is_not_searched() -> None:
    before = gc.get_freeze_count()
    with collection_paused():
        loaded = [[] for _ in range(1000)]
    assert gc.get_freeze_count() >= before + len(loaded)


def test_a_failure_is_passed_on_and_ends_the_pause() -> None:
    with pytest.raises(ImportError), collection_paused():
        raise ImportError
    assert gc.isenabled()
