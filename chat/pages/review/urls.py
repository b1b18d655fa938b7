from django.urls import path

from chat.pages.views.review import acting, finding, people, reading, reason, record, sites

urlpatterns = [
    path("", finding.show_list, name="review"),
    path("reason/", reason.reason, name="review_reason"),
    path("record/", record.show_record, name="review_record"),
    path("record/deeds/", record.show_deeds, name="review_deeds"),
    path("views/", finding.save_view, name="review_view"),
    path("views/<int:view_id>/deletion/", finding.view_deletion, name="review_view_deletion"),
    path("<uuid:conversation_id>/", reading.read, name="review_conversation"),
    path("<uuid:conversation_id>/notes/", reading.note, name="review_note"),
    path(
        "<uuid:conversation_id>/messages/<int:message_id>/hiding/",
        acting.hiding,
        name="review_hiding",
    ),
    path("<uuid:conversation_id>/closing/", acting.closing, name="review_closing"),
    path("<uuid:conversation_id>/holding/", acting.holding, name="review_holding"),
    path("people/<slug:key>/", people.person, name="review_person"),
    path("people/<slug:key>/warning/", people.warning, name="review_warning"),
    path(
        "people/<slug:key>/warnings/<int:warning_id>/withdrawal/",
        people.withdrawal,
        name="review_withdrawal",
    ),
    path("people/<slug:key>/suspension/", people.suspension, name="review_suspension"),
    path("people/<slug:key>/limit/", people.limit, name="review_limit"),
    path("sites/<slug:key>/", sites.site, name="review_site"),
    path("sites/<slug:key>/suspension/", sites.suspension, name="review_site_suspension"),
    path("sites/<slug:key>/limit/", sites.limit, name="review_site_limit"),
    path("notes/<int:note_id>/deletion/", reading.note_deletion, name="review_note_deletion"),
]
