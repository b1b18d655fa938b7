"""Route the list of conversations, and saved searches."""

from django.urls import path

from chat.web.review.search import views

urlpatterns = [
    path("", views.show_list, name="review"),
    path("saved-searches/", views.save_search, name="review_saved_search"),
    path(
        "saved-searches/<int:view_id>/deletion/",
        views.search_deletion,
        name="review_saved_search_deletion",
    ),
]
