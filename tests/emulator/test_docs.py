"""docs/emulator.md matches the code."""

from pathlib import Path

import pytest
from django.core.management import load_command_class

from chat.emulator import COMMANDS, Command

PAGE = (Path(__file__).parents[2] / "docs" / "emulator.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_every_command_is_documented(command: Command) -> None:
    assert f"| `{command.usage}` | {command.description} |" in PAGE


def test_every_option_of_the_server_is_documented() -> None:
    parser = load_command_class("chat", "emulate_workers_ai").create_parser("manage.py", "")
    inherited = load_command_class("chat", "setup_link").create_parser("manage.py", "")
    own = set(parser._option_string_actions) - set(inherited._option_string_actions)
    assert len(own) == 9
    for option in own:
        assert f"| `{option}` |" in PAGE


def test_descriptions_fit_a_table() -> None:
    assert all("|" not in command.usage + command.description for command in COMMANDS)
