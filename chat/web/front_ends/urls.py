"""Route the APIs for a website's pages and servers, mounted at /w/<key>/ by the widget's URLs."""

from django.urls import path

from chat.web.front_ends import views

urlpatterns = [
    path("chat", views.chat, name="front_end_chat"),
    path("chat/text", views.chat, {"wire_format": "text"}, name="front_end_text"),
    path("chat/html", views.chat, {"wire_format": "html"}, name="front_end_html"),
    path("chat/ui", views.ui_messages, name="front_end_ui"),
    path(
        "chat/text/<str:chat_id>/stream",
        views.chat_stream,
        {"wire_format": "text"},
        name="front_end_text_stream",
    ),
    path(
        "chat/ui/<str:chat_id>/stream",
        views.chat_stream,
        {"wire_format": "ui"},
        name="front_end_ui_stream",
    ),
    path("v1/chat/completions", views.completions, name="front_end_completions"),
]
