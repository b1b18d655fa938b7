"""Route shared links: the owner's pages and the public ones."""

from django.urls import path

from chat.web.sharing import public_views, views

urlpatterns = [
    path("chat/<uuid:conversation_id>/sharing/", views.conversation, name="sharing"),
    path("shared/", views.list_links, name="shared_links"),
    path("shared/<uuid:link_id>/revocation/", views.revoke, name="shared_link_revocation"),
    path("shared/<uuid:link_id>/renewal/", views.renew, name="shared_link_renewal"),
    path("s/<str:token>/", public_views.show, name="shared"),
    path("s/<str:token>/images/<str:digest>", public_views.image, name="shared_image"),
    path("s/<str:token>/continuation/", public_views.continuation, name="continuation"),
]
