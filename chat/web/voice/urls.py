"""Route dictation and reading aloud."""

from django.urls import path

from chat.web.voice import views

urlpatterns = [
    path("chat/transcription/", views.transcription, name="transcription"),
    path("chat/speech/", views.speech, name="speech"),
]
