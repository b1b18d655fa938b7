from django.urls import include, path

urlpatterns = [
    path("accounts/", include("chat.accounts.urls")),
    path("", include("chat.web.urls")),
]
