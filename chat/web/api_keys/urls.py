"""Route the page for API keys."""

from django.urls import path

from chat.web.api_keys import views

urlpatterns = [
    path("settings/api/", views.api_keys, name="api_keys"),
    path("settings/api/<int:api_key_id>/revocation/", views.revoke, name="revoke_api_key"),
]
