"""Route requests of monitors and scanners. These paths are fixed."""

from django.urls import path

from chat.web.ops import health, metrics, security_txt, stream_check

urlpatterns = [
    path(".well-known/security.txt", security_txt.show, name="security_txt"),
    path("healthz", health.alive, name="healthz"),
    path("readyz", health.ready, name="readyz"),
    path("metrics", metrics.show, name="metrics"),
    path("streamz", stream_check.show, name="streamz"),
]
