"""Route the pages of the catalogue of models."""

from django.urls import path

from chat.web.review.models_page import views

urlpatterns = [
    path("models/", views.show_models, name="review_models"),
    path("models/changes/", views.show_changes, name="review_model_changes"),
    path("models/edit/<path:model_id>/", views.edit_model, name="review_model"),
]
