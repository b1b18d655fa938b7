"""Configure the Django admin. Each change needs a reason and is logged (acts.py)."""

from chat.admin import accounts, content_admin, limit_admin, record

__all__ = ["accounts", "content_admin", "limit_admin", "record"]
