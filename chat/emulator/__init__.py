"""Emulate Cloudflare Workers AI without a model: its HTTP API, its streams and its faults.

It runs inside the site (`EmulatorTransport`) or as a separate server (`manage.py
emulate_workers_ai`), and imports nothing else of the project but `chat.lib`.
"""

from chat.emulator.asgi import application
from chat.emulator.scripts.command import Command
from chat.emulator.scripts.commands import COMMANDS
from chat.emulator.scripts.starters import STARTERS, Starter
from chat.emulator.service import Emulator
from chat.emulator.transport import EmulatorTransport
from chat.emulator.wire import Answer

__all__ = [
    "COMMANDS",
    "STARTERS",
    "Answer",
    "Command",
    "Emulator",
    "EmulatorTransport",
    "Starter",
    "application",
]
