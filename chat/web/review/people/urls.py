"""Route the staff's pages about a person or a website."""

from django.urls import path

from chat.web.review.people import views, widget_site_views

urlpatterns = [
    path("people/<slug:key>/", views.person, name="review_person"),
    path("people/<slug:key>/warning/", views.warning, name="review_warning"),
    path(
        "people/<slug:key>/warnings/<int:warning_id>/withdrawal/",
        views.withdrawal,
        name="review_warning_withdrawal",
    ),
    path("people/<slug:key>/suspension/", views.suspension, name="review_suspension"),
    path("people/<slug:key>/limit/", views.limit, name="review_limit"),
    path("sites/<slug:key>/", widget_site_views.site, name="review_site"),
    path(
        "sites/<slug:key>/suspension/", widget_site_views.suspension, name="review_site_suspension"
    ),
    path("sites/<slug:key>/limit/", widget_site_views.limit, name="review_site_limit"),
]
