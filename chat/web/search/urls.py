"""Route search."""

from django.urls import path

from chat.web.search import views

urlpatterns = [
    path("chat/search/", views.search, name="search"),
]
