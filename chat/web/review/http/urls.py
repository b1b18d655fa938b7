"""Route the page that asks staff for a reason."""

from django.urls import path

from chat.web.review.http import reason_view

urlpatterns = [
    path("reason/", reason_view.reason, name="review_reason"),
]
