"""Route shared links: the pages of owners, of recipients, and of those who have a link."""

from django.urls import path

from chat.web.sharing.views import owner, public, received

urlpatterns = [
    path("chat/<uuid:conversation_id>/sharing/", owner.conversation, name="sharing"),
    path("shared/", owner.list_links, name="shared_links"),
    path("shared/<uuid:link_id>/revocation/", owner.revoke, name="shared_link_revocation"),
    path("shared/<uuid:link_id>/update/", owner.update, name="shared_link_update"),
    path(
        "shared/<uuid:link_id>/recipients/", owner.change_recipients, name="shared_link_recipients"
    ),
    path("shared/with-me/", received.show_all, name="received_links"),
    path("shared/with-me/<uuid:link_id>/removal/", received.remove, name="received_link_removal"),
    path("s/<str:token>/", public.show, name="shared"),
    path("s/<str:token>/images/<str:digest>", public.image, name="shared_image"),
    path("s/<str:token>/continuation/", public.continuation, name="continuation"),
]
