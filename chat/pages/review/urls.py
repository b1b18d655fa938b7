from django.urls import path

from chat.pages.views.review import finding, reading, reason, record

urlpatterns = [
    path("", finding.show_list, name="review"),
    path("reason/", reason.reason, name="review_reason"),
    path("record/", record.show_record, name="review_record"),
    path("record/deeds/", record.show_deeds, name="review_deeds"),
    path("views/", finding.save_view, name="review_view"),
    path("views/<int:view_id>/deletion/", finding.view_deletion, name="review_view_deletion"),
    path("<uuid:conversation_id>/", reading.read, name="review_conversation"),
    path("<uuid:conversation_id>/notes/", reading.note, name="review_note"),
    path("notes/<int:note_id>/deletion/", reading.note_deletion, name="review_note_deletion"),
]
