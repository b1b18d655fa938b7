from django.urls import path

from chat.pages.views.review import cases, finding, queue, reading, reason, record, rules

urlpatterns = [
    path("", finding.show_list, name="review"),
    path("reason/", reason.reason, name="review_reason"),
    path("record/", record.show_record, name="review_record"),
    path("record/deeds/", record.show_deeds, name="review_deeds"),
    path("views/", finding.save_view, name="review_view"),
    path("views/<int:view_id>/deletion/", finding.view_deletion, name="review_view_deletion"),
    path("queue/", queue.show_queue, name="review_queue"),
    path("queue/next/", queue.take_next, name="review_next"),
    path("queue/selection/", queue.change_selected, name="review_selection"),
    path("queue/export.<str:kind>", queue.export, name="review_queue_export"),
    path("cases/<int:case_id>/claim/", cases.claim, name="review_claim"),
    path("cases/<int:case_id>/release/", cases.release, name="review_release"),
    path("cases/<int:case_id>/assignment/", cases.assign, name="review_assign"),
    path("cases/<int:case_id>/settlement/", cases.settle, name="review_settle"),
    path("rules/", rules.show_rules, name="review_rules"),
    path("rules/new/", rules.new, name="review_new_rule"),
    path("rules/<int:rule_id>/", rules.change, name="review_rule"),
    path("rules/<int:rule_id>/deletion/", rules.remove, name="review_rule_deletion"),
    path("rules/<int:rule_id>/past/", rules.look_back, name="review_rule_past"),
    path("<uuid:conversation_id>/flags/", cases.flag, name="review_flag"),
    path("<uuid:conversation_id>/", reading.read, name="review_conversation"),
    path("<uuid:conversation_id>/notes/", reading.note, name="review_note"),
    path("notes/<int:note_id>/deletion/", reading.note_deletion, name="review_note_deletion"),
]
