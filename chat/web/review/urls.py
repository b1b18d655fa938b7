"""Route the staff's pages below /review/; each package has its own URLs."""

from django.urls import include, path

urlpatterns = [
    path("", include("chat.web.review.search.urls")),
    path("", include("chat.web.review.http.urls")),
    path("", include("chat.web.review.live.urls")),
    path("", include("chat.web.review.audit.urls")),
    path("", include("chat.web.review.analytics.urls")),
    path("", include("chat.web.review.members.urls")),
    path("", include("chat.web.review.limits.urls")),
    path("", include("chat.web.review.models_page.urls")),
    path("", include("chat.web.review.notifications.urls")),
    path("", include("chat.web.review.site_settings.urls")),
    path("", include("chat.web.review.queue.urls")),
    path("", include("chat.web.review.conversation.urls")),
    path("", include("chat.web.review.rules.urls")),
    path("", include("chat.web.review.moderation.urls")),
    path("", include("chat.web.review.people.urls")),
    path("", include("chat.web.review.status.urls")),
]
