from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("admin/", admin.site.urls),
    path("", include("chat.urls")),
]

# Handlers for errors outside our views.
handler400 = "chat.web.http.error_views.bad_request"
handler403 = "chat.web.http.error_views.forbidden"
handler404 = "chat.web.http.error_views.not_found"
handler429 = "chat.accounts.views.rate_limited"  # from allauth
handler500 = "chat.web.http.error_views.server_error"
