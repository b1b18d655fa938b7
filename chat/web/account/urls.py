"""Route the pages for a member's own account and settings."""

from django.urls import path

from chat.web.account import (
    access_history_view,
    deletion_views,
    device_views,
    overview_views,
    usage_page,
    usage_view,
    views,
    warning_views,
)

urlpatterns = [
    path("chat/allowance/", usage_view.show, name="allowance"),
    path("chat/warnings/<int:warning_id>/", warning_views.read, name="warning"),
    path("settings/", views.settings, name="settings"),
    path("settings/personalization/", views.personalization, name="personalization"),
    path("settings/data/", overview_views.chats_and_data, name="chats_and_data"),
    path("settings/security/", overview_views.security, name="security"),
    path("settings/usage/", usage_page.show, name="usage"),
    path("settings/devices/", device_views.devices, name="devices"),
    path("settings/access-history/", access_history_view.show, name="access_history"),
    path("settings/delete-account/", deletion_views.account_deletion, name="account_deletion"),
]
