"""Route the rules that flag messages."""

from django.urls import path

from chat.web.review.rules import views

urlpatterns = [
    path("rules/", views.show_rules, name="review_rules"),
    path("rules/new/", views.new, name="review_new_rule"),
    path("rules/<int:rule_id>/", views.change, name="review_rule"),
    path("rules/<int:rule_id>/deletion/", views.remove, name="review_rule_deletion"),
    path("rules/<int:rule_id>/backfill/", views.backfill, name="review_rule_backfill"),
]
