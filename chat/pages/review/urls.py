from django.urls import path

from chat.pages.views.review import finding, live, reading, reason, record

urlpatterns = [
    path("", finding.show_list, name="review"),
    path("reason/", reason.reason, name="review_reason"),
    path("live/", live.show_live, name="review_live"),
    path("live/now/", live.show_now, name="review_live_now"),
    path("record/", record.show_record, name="review_record"),
    path("record/deeds/", record.show_deeds, name="review_deeds"),
    path("views/", finding.save_view, name="review_view"),
    path("views/<int:view_id>/deletion/", finding.view_deletion, name="review_view_deletion"),
    path("<uuid:conversation_id>/", reading.read, name="review_conversation"),
    path("<uuid:conversation_id>/live/<uuid:generation_id>/", live.watch, name="review_watch"),
    path("<uuid:conversation_id>/news/", live.news, name="review_news"),
    path("<uuid:conversation_id>/stop/", live.stop, name="review_stop"),
    path("<uuid:conversation_id>/takeover/", live.take_over, name="review_takeover"),
    path("<uuid:conversation_id>/turns/", live.say, name="review_say"),
    path("<uuid:conversation_id>/handback/", live.hand_back, name="review_handback"),
    path("<uuid:conversation_id>/notes/", reading.note, name="review_note"),
    path("notes/<int:note_id>/deletion/", reading.note_deletion, name="review_note_deletion"),
]
