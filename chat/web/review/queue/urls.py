"""Route the queue of cases."""

from django.urls import path

from chat.web.review.queue import views

urlpatterns = [
    path("queue/", views.show_queue, name="review_queue"),
    path("queue/next/", views.take_next, name="review_claim_next"),
    path("queue/selection/", views.change_selected, name="review_bulk_action"),
    path("queue/export.<str:kind>", views.export, name="review_queue_export"),
]
