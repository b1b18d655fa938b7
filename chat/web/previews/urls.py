"""Route the frame in which code of an answer is shown."""

from django.urls import path

from chat.web.previews import views

urlpatterns = [path("code-preview/", views.frame, name="code_preview")]
