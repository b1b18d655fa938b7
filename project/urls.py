from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.urls import include, path

from chat.accounts.second_factor import two_factor

admin.autodiscover()
# Staff sign in on the same page as everyone: one place for rate limits and second factors.
admin.site.login = two_factor.first(secure_admin_login(admin.site.login))  # type: ignore[method-assign]
admin.site.has_permission = two_factor.has_permission  # type: ignore[method-assign]

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
