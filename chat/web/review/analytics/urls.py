"""Route the analytics pages."""

from django.urls import path

from chat.web.review.analytics import views

urlpatterns = [
    path("analytics/", views.show_measures, name="review_measures"),
    path(
        "analytics/<slug:name>.<slug:kind>",
        views.measures_file,
        name="review_measures_file",
    ),
]
