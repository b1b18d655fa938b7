"""Route the limits of one user, group or website."""

from django.urls import path

from chat.web.review.limits import views

urlpatterns = [
    path("quotas/<slug:kind>/<slug:key>/", views.limits, name="review_quotas"),
]
