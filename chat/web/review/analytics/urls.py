"""Route the analytics pages."""

from django.urls import path

from chat.web.review.analytics import views

urlpatterns = [
    path("analytics/", views.show_analytics, name="review_analytics"),
    path(
        "analytics/<slug:name>.<slug:kind>",
        views.analytics_file,
        name="review_analytics_file",
    ),
]
