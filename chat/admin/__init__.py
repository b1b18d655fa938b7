"""The admin. Whatever it changes asks for a reason, and is a row of the record (acts.py)."""

from chat.admin import accounts, limits, public, record

__all__ = ["accounts", "limits", "public", "record"]
