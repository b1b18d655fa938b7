"""Route the pages for a member's own account and settings."""

from django.urls import path

from chat.web.account import usage_page
from chat.web.account.views import (
    access_history,
    deletion,
    devices,
    overview,
    settings,
    usage,
    warnings,
)

urlpatterns = [
    path("chat/allowance/", usage.show, name="allowance"),
    path("chat/warnings/<int:warning_id>/", warnings.read, name="warning"),
    path("settings/", settings.settings, name="settings"),
    path("settings/personalization/", settings.personalization, name="personalization"),
    path("settings/data/", overview.chats_and_data, name="chats_and_data"),
    path("settings/data/evaluation/", overview.evaluation_consent, name="evaluation_consent"),
    path("settings/security/", overview.security, name="security"),
    path("settings/usage/", usage_page.show, name="usage"),
    path("settings/devices/", devices.devices, name="devices"),
    path("settings/access-history/", access_history.show, name="access_history"),
    path("settings/delete-account/", deletion.account_deletion, name="account_deletion"),
]
