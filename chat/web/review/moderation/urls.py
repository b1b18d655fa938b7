"""Route moderation: redaction, closing and legal holds."""

from django.urls import path

from chat.web.review.moderation import views

urlpatterns = [
    path(
        "<uuid:conversation_id>/messages/<int:message_id>/redaction/",
        views.redaction,
        name="review_redaction",
    ),
    path("<uuid:conversation_id>/closure/", views.closure, name="review_closure"),
    path("<uuid:conversation_id>/legal-hold/", views.legal_hold, name="review_legal_hold"),
]
