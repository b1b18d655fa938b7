"""The empty page suggests what to ask; the emulator's commands are for staff only."""

import pytest

from chat.accounts.models import User
from tests.support.web.signed_in import signed_in

COMMAND = 'data-prompt="/markdown"'


def page_of(user: User, path: str) -> str:
    return signed_in(user).get(path).content.decode()


@pytest.mark.parametrize("path", ["/chat/", "/chat/temporary/"])
def test_commands_of_the_emulator_are_suggested_to_staff_only(
    alice: User, rita: User, path: str
) -> None:
    assert COMMAND in page_of(rita, path)
    hers = page_of(alice, path)
    assert COMMAND not in hers
    assert "Explain how tides work" in hers


def test_the_dialog_names_commands_to_staff_only(alice: User, rita: User) -> None:
    assert "/help" in page_of(rita, "/chat/connection/")
    assert "/help" not in page_of(alice, "/chat/connection/")
