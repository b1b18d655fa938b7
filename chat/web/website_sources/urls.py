"""Route the page of what is read of a website."""

from django.urls import URLPattern, URLResolver, include, path

from chat.web.website_sources.views import sources

_of_source = [
    path("crawl/", sources.crawl, name="crawl_source"),
    path("stop/", sources.stop, name="stop_source"),
    path("audience/", sources.set_audience, name="source_audience"),
    path("removal/", sources.remove, name="remove_source"),
]
_of_site: list[URLPattern | URLResolver] = [
    path("", sources.show, name="site_sources"),
    path("preview/", sources.preview, name="preview_source"),
    path("new/", sources.add, name="add_source"),
    path("watching/", sources.watch, name="watch_pages"),
    path("<uuid:source_id>/", include(_of_source)),
]
urlpatterns = [path("sites/<slug:key>/sources/", include(_of_site))]
