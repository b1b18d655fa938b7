"""Route the pages of the site's settings."""

from django.urls import path

from chat.web.review.site_settings import provider_views, views

urlpatterns = [
    path("setup/", views.show_checklist, name="review_setup"),
    path("site/", views.edit_look, name="review_brand"),
    path("site/sign-up/", views.edit_sign_up, name="review_sign_up"),
    path("site/welcome/", views.edit_welcome, name="review_welcome"),
    path("site/model/", provider_views.connect, name="review_provider"),
    path("site/model/trial/", provider_views.try_out, name="review_provider_trial"),
    path("site/models/", provider_views.choose_models, name="review_provider_models"),
]
