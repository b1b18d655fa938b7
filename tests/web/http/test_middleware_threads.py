"""No middleware takes a thread for a request that needs none."""

from asgiref.sync import SyncToAsync

from project.asgi.handler import TwoPhaseHandler


def test_no_hook_before_views_takes_a_thread() -> None:
    handler = TwoPhaseHandler()
    handler.load_middleware(is_async=True)
    hooks = handler._view_middleware
    assert hooks
    assert [each for each in hooks if isinstance(each, SyncToAsync)] == []
