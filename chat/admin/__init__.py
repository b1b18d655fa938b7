"""The admin. Whatever it changes asks for a reason, and is a row of the record (acts.py)."""

from chat.admin import accounts, content_admin, limit_admin, record

__all__ = ["accounts", "content_admin", "limit_admin", "record"]
