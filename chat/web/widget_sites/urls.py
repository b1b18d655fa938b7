"""Route the pages for owners of widget sites."""

from django.urls import path

from chat.web.widget_sites import check_views, key_views, look_views, views

urlpatterns = [
    path("sites/", views.show_all, name="sites"),
    path("sites/new/", views.new, name="new_site"),
    path("sites/<slug:key>/", views.show, name="site"),
    path("sites/<slug:key>/settings/", views.change, name="change_site"),
    path("sites/<slug:key>/deletion/", views.deletion, name="delete_site"),
    path("sites/<slug:key>/preview/", look_views.preview, name="preview_site"),
    path("sites/<slug:key>/look/", look_views.change, name="site_look"),
    path("sites/<slug:key>/look/draft/", look_views.draft, name="draft_look"),
    path("sites/<slug:key>/check/", check_views.check, name="check_site"),
    path("sites/<slug:key>/keys/", key_views.show_all, name="site_keys"),
    path(
        "sites/<slug:key>/keys/<uuid:identity_id>/revocation/", key_views.revoke, name="revoke_key"
    ),
]
