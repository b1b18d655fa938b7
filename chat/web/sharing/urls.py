"""Route shared links: the owner's pages and the public ones."""

from django.urls import path

from chat.web.sharing.views import owner, public

urlpatterns = [
    path("chat/<uuid:conversation_id>/sharing/", owner.conversation, name="sharing"),
    path("shared/", owner.list_links, name="shared_links"),
    path("shared/<uuid:link_id>/revocation/", owner.revoke, name="shared_link_revocation"),
    path("shared/<uuid:link_id>/update/", owner.update, name="shared_link_update"),
    path("s/<str:token>/", public.show, name="shared"),
    path("s/<str:token>/images/<str:digest>", public.image, name="shared_image"),
    path("s/<str:token>/continuation/", public.continuation, name="continuation"),
]
