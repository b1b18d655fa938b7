"""A stand-in for Cloudflare Workers AI: its HTTP API, its streams and its faults, without a model.

It runs inside the site (`EmulatorTransport`) or as a server of its own (`manage.py
emulate_workers_ai`), and imports nothing of ours but `chat.lib`.
"""

from .asgi import application
from .scripts import COMMANDS, STARTERS, Command, Starter
from .service import Emulator
from .transport import EmulatorTransport
from .wire import Answer

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
