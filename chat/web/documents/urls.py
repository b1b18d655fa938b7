"""Route the files that members attach to their questions as text."""

from django.urls import path

from chat.web.documents import views

urlpatterns = [path("chat/documents/", views.read, name="document_reading")]
