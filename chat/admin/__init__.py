"""Configure the Django admin. Each change needs a reason and is logged (admin/base.py)."""

from chat.admin import accounts, content, limits, logs

__all__ = ["accounts", "content", "limits", "logs"]
