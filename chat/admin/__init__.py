"""Configure the Django admin. Each change needs a reason and is logged (reasoned_admin.py)."""

from chat.admin import accounts, content_admin, limit_admin, log_admin

__all__ = ["accounts", "content_admin", "limit_admin", "log_admin"]
