"""Route the list of conversations, and saved searches."""

from django.urls import path

from chat.web.review.search import views

urlpatterns = [
    path("", views.show_list, name="review"),
    path("views/", views.save_view, name="review_view"),
    path("views/<int:view_id>/deletion/", views.view_deletion, name="review_view_deletion"),
]
