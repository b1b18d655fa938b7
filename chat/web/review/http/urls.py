"""What all pages of the staff ask: why."""

from django.urls import path

from chat.web.review.http import reason_view

urlpatterns = [
    path("reason/", reason_view.reason, name="review_reason"),
]
