"""Route moderation: redaction, closing and legal holds."""

from django.urls import path

from chat.web.review.moderation import views

urlpatterns = [
    path(
        "<uuid:conversation_id>/messages/<int:message_id>/redaction/",
        views.hiding,
        name="review_hiding",
    ),
    path("<uuid:conversation_id>/closing/", views.closing, name="review_closing"),
    path("<uuid:conversation_id>/holding/", views.holding, name="review_holding"),
]
