"""Make a member a reviewer of everybody's chats."""

ENLIST = """
from django.contrib.auth.models import Permission
from chat.accounts.models import User
from chat.review.models import ReviewScope
rita = User.objects.get(email={email!r})
rita.name = "Rita"
rita.save()
rita.user_permissions.add(Permission.objects.get(codename="review"))
ReviewScope.objects.create(reviewer=rita)
"""
