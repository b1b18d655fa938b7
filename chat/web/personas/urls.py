"""Route the pages for a member's own and the site's personas."""

from django.urls import path

from chat.web.personas import views

urlpatterns = [
    path("personas/", views.show_all, name="personas"),
    path("personas/new/", views.new, name="new_persona"),
    path("personas/<uuid:persona_id>/", views.change, name="persona"),
    path("personas/<uuid:persona_id>/copy/", views.copy, name="copy_persona"),
    path("personas/<uuid:persona_id>/deletion/", views.deletion, name="delete_persona"),
]
