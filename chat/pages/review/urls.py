from django.urls import path

from chat.pages.views import review

urlpatterns = [
    path("", review.show_list, name="review"),
    path("reason/", review.reason, name="review_reason"),
    path("record/", review.show_record, name="review_record"),
    path("views/", review.save_view, name="review_view"),
    path("views/<int:view_id>/deletion/", review.view_deletion, name="review_view_deletion"),
    path("<uuid:conversation_id>/", review.read, name="review_conversation"),
    path("<uuid:conversation_id>/notes/", review.note, name="review_note"),
    path("notes/<int:note_id>/deletion/", review.note_deletion, name="review_note_deletion"),
]
