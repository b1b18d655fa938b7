"""Route one conversation and its cases."""

from django.urls import path

from chat.web.review.conversation import case_views, views

urlpatterns = [
    path("cases/<int:case_id>/claim/", case_views.claim, name="review_claim"),
    path("cases/<int:case_id>/release/", case_views.release, name="review_release"),
    path("cases/<int:case_id>/assignment/", case_views.assign, name="review_assign"),
    path("cases/<int:case_id>/resolution/", case_views.resolve, name="review_resolve"),
    path("cases/<int:case_id>/reopening/", case_views.reopen, name="review_reopen"),
    path("<uuid:conversation_id>/flags/", case_views.flag, name="review_flag"),
    path("<uuid:conversation_id>/", views.read, name="review_conversation"),
    path("<uuid:conversation_id>/images/<str:digest>", views.image, name="review_image"),
    path("<uuid:conversation_id>/notes/", views.note, name="review_note"),
    path(
        "notes/<int:note_id>/deletion/",
        views.note_deletion,
        name="review_note_deletion",
    ),
]
