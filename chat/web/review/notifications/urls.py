"""Route the page of a staff member's notifications."""

from django.urls import path

from chat.web.review.notifications import views

urlpatterns = [path("notifications/", views.notifications, name="review_notifications")]
