"""Route the logo and the colour of the site."""

from django.urls import path, register_converter

from chat.web.branding import views
from chat.web.branding.views import ColorConverter

register_converter(ColorConverter, "color")

urlpatterns = [
    path("brand/accent-<color:digits>.css", views.accent_style, name="accent_style"),
    path("brand/logo/<slug:digest>", views.logo, name="site_logo"),
]
