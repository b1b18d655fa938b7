"""Route the pages for owners of widget sites."""

from django.urls import path

from chat.web.widget_sites.views import check, keys, look, sites

urlpatterns = [
    path("sites/", sites.show_all, name="sites"),
    path("sites/new/", sites.new, name="new_site"),
    path("sites/<slug:key>/", sites.show, name="site"),
    path("sites/<slug:key>/settings/", sites.change, name="change_site"),
    path("sites/<slug:key>/deletion/", sites.deletion, name="delete_site"),
    path("sites/<slug:key>/preview/", look.preview, name="preview_site"),
    path("sites/<slug:key>/look/", look.change, name="site_look"),
    path("sites/<slug:key>/look/draft/", look.draft, name="draft_look"),
    path("sites/<slug:key>/check/", check.check, name="check_site"),
    path("sites/<slug:key>/keys/", keys.show_all, name="site_keys"),
    path("sites/<slug:key>/keys/<uuid:identity_id>/revocation/", keys.revoke, name="revoke_key"),
]
