"""Route exports and imports of conversations."""

from django.urls import path

from chat.web.import_export import views

urlpatterns = [
    path("chat/<uuid:conversation_id>/export.<str:kind>", views.export, name="export"),
    path("settings/export.zip", views.export_everything, name="export_archive"),
    path("settings/import/", views.import_chats, name="import"),
]
