from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("admin/", admin.site.urls),
    path("", include("chat.urls")),
]

# Django calls these for what no view of ours answered.
handler400 = "chat.web.http.error_views.bad_request"
handler403 = "chat.web.http.error_views.forbidden"
handler404 = "chat.web.http.error_views.not_found"
handler429 = "chat.accounts.views.tried_too_often"  # allauth's
handler500 = "chat.web.http.error_views.server_error"
