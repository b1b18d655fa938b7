"""Route all pages and the API; each package has its own `urls.py`."""

from django.urls import include, path
from django.views.generic import RedirectView

urlpatterns = [
    path("", RedirectView.as_view(pattern_name="chat"), name="home"),
    path("", include("chat.web.chat.urls")),
    path("", include("chat.web.search.urls")),
    path("", include("chat.web.import_export.urls")),
    path("", include("chat.web.documents.urls")),
    path("", include("chat.web.images.urls")),
    path("", include("chat.web.voice.urls")),
    path("", include("chat.web.messages.urls")),
    path("", include("chat.web.streams.urls")),
    path("", include("chat.web.account.urls")),
    path("", include("chat.web.api_keys.urls")),
    path("", include("chat.web.previews.urls")),
    path("", include("chat.web.sharing.urls")),
    path("", include("chat.web.personas.urls")),
    path("", include("chat.web.prompts.urls")),
    path("", include("chat.web.projects.urls")),
    path("", include("chat.web.collections.urls")),
    path("", include("chat.web.widget_sites.urls")),
    path("", include("chat.web.website_sources.urls")),
    path("", include("chat.web.inbox.urls")),
    path("", include("chat.web.inbound_mail.urls")),
    path("", include("chat.web.website_answers.urls")),
    path("", include("chat.web.widget.urls")),
    path("", include("chat.web.branding.urls")),
    path("", include("chat.web.ops.urls")),
    path("v1/review/", include("chat.web.review.service_api.urls")),
    path("", include("chat.web.api.urls")),
    path("review/", include("chat.web.review.urls")),
]
