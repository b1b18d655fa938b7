"""Route the status page."""

from django.urls import path

from chat.web.review.status import views

urlpatterns = [path("status/", views.show_status, name="review_status")]
