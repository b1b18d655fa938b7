"""Route the access log and the staff actions."""

from django.urls import path

from chat.web.review.audit import views

urlpatterns = [
    path("audit/", views.show_access_log, name="review_access_log"),
    path("audit/actions/", views.show_staff_actions, name="review_staff_actions"),
    path("audit/access.<slug:kind>", views.access_log_file, name="review_access_log_file"),
    path("audit/actions.<slug:kind>", views.staff_actions_file, name="review_staff_actions_file"),
]
