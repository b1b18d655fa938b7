from django.urls import include, path
from django.views.generic import RedirectView

from chat.web.account import (
    access_history_view,
    deletion_views,
    device_views,
    usage_view,
    warning_views,
)
from chat.web.account import views as account_views
from chat.web.chat import connection_view, list_state_views
from chat.web.chat import views as chat_views
from chat.web.import_export import views as import_export_views
from chat.web.messages import mark_read_view, report_views
from chat.web.messages import views as messages_views
from chat.web.ops import health, metrics_view, security_txt
from chat.web.personas import views as personas_views
from chat.web.prompts import views as prompts_views
from chat.web.search import views as search_views
from chat.web.sharing import public_views
from chat.web.sharing import views as sharing_views
from chat.web.streams import send_status_view
from chat.web.streams import views as streams_views
from chat.web.widget import loader_view
from chat.web.widget_sites import check_views, key_views
from chat.web.widget_sites import views as widget_sites_views

urlpatterns = [
    path("", RedirectView.as_view(pattern_name="chat"), name="home"),
    path("chat/", chat_views.new, name="chat"),
    path("chat/temporary/", chat_views.temporary, name="temporary"),
    path("chat/archive/", list_state_views.archive, name="archive"),
    path("chat/sidebar/", chat_views.sidebar, name="sidebar"),
    path("chat/search/", search_views.search, name="search"),
    path("chat/<uuid:conversation_id>/", chat_views.show, name="conversation"),
    path("chat/<uuid:conversation_id>/title/", chat_views.title, name="title"),
    path("chat/<uuid:conversation_id>/state/", list_state_views.move, name="list_state"),
    path(
        "chat/<uuid:conversation_id>/export.<str:kind>", import_export_views.export, name="export"
    ),
    path("chat/<uuid:conversation_id>/deletion/", list_state_views.deletion, name="deletion"),
    path(
        "chat/<uuid:conversation_id>/restoration/", list_state_views.restoration, name="restoration"
    ),
    path("chat/<uuid:conversation_id>/reading", mark_read_view.read, name="reading"),
    path("chat/<uuid:conversation_id>/report", report_views.report, name="report_chat"),
    path("chat/connection/", connection_view.show, name="connection"),
    path("chat/stream", streams_views.relay, name="relay"),
    path("chat/messages", streams_views.send, name="send_first"),
    path("chat/sends/<slug:key>", send_status_view.show, name="sent"),
    path("chat/<uuid:conversation_id>/messages", streams_views.send, name="send"),
    path(
        "chat/<uuid:conversation_id>/messages/<int:message_id>", messages_views.show, name="message"
    ),
    path(
        "chat/<uuid:conversation_id>/messages/<int:message_id>/rating",
        messages_views.rate,
        name="rate",
    ),
    path(
        "chat/<uuid:conversation_id>/messages/<int:message_id>/report",
        report_views.report,
        name="report",
    ),
    path(
        "chat/<uuid:conversation_id>/messages/<int:message_id>/deletion",
        messages_views.deletion,
        name="turn_deletion",
    ),
    path(
        "chat/<uuid:conversation_id>/messages/<int:message_id>/branch",
        messages_views.branch,
        name="branch",
    ),
    path("chat/allowance/", usage_view.show, name="allowance"),
    path("chat/warnings/<int:warning_id>/", warning_views.read, name="warning"),
    path("settings/", account_views.settings, name="settings"),
    path("settings/export.zip", import_export_views.export_everything, name="everything"),
    path("settings/import/", import_export_views.bring, name="import"),
    path("settings/devices/", device_views.devices, name="devices"),
    path("settings/access-history/", access_history_view.show, name="readers"),
    path("settings/delete-account/", deletion_views.leave, name="departure"),
    path("chat/<uuid:conversation_id>/sharing/", sharing_views.conversation, name="sharing"),
    path("shared/", sharing_views.own, name="shared_links"),
    path("shared/<uuid:link_id>/revocation/", sharing_views.revoke, name="revocation"),
    path("shared/<uuid:link_id>/renewal/", sharing_views.renew, name="renewal"),
    path("s/<str:token>/", public_views.show, name="shared"),
    path("s/<str:token>/continuation/", public_views.continuation, name="continuation"),
    path("personas/", personas_views.show_all, name="personas"),
    path("personas/new/", personas_views.new, name="new_persona"),
    path("personas/<uuid:persona_id>/", personas_views.change, name="persona"),
    path("personas/<uuid:persona_id>/copy/", personas_views.copy, name="copy_persona"),
    path("personas/<uuid:persona_id>/deletion/", personas_views.deletion, name="delete_persona"),
    path("prompts/", prompts_views.show_all, name="prompts"),
    path("prompts/new/", prompts_views.new, name="new_prompt"),
    path("prompts/names", prompts_views.names, name="prompt_names"),
    path("prompts/<uuid:prompt_id>/", prompts_views.change, name="prompt"),
    path("prompts/<uuid:prompt_id>/text", prompts_views.text, name="prompt_text"),
    path("prompts/<uuid:prompt_id>/deletion/", prompts_views.deletion, name="delete_prompt"),
    path("sites/", widget_sites_views.show_all, name="sites"),
    path("sites/new/", widget_sites_views.new, name="new_site"),
    path("sites/<slug:key>/", widget_sites_views.show, name="site"),
    path("sites/<slug:key>/settings/", widget_sites_views.change, name="change_site"),
    path("sites/<slug:key>/deletion/", widget_sites_views.deletion, name="delete_site"),
    path("sites/<slug:key>/preview/", widget_sites_views.preview, name="preview_site"),
    path("sites/<slug:key>/check/", check_views.check, name="check_site"),
    path("sites/<slug:key>/keys/", key_views.show_all, name="site_keys"),
    path(
        "sites/<slug:key>/keys/<uuid:identity_id>/revocation/", key_views.revoke, name="revoke_key"
    ),
    path("generations/<uuid:generation_id>/stream", streams_views.follow, name="follow"),
    path("generations/<uuid:generation_id>/cancellation", streams_views.cancel, name="cancel"),
    path("review/", include("chat.web.review.urls")),
    path("w.js", loader_view.show, name="loader"),
    path("w/<slug:site_key>/", include("chat.web.widget.urls")),
    path(".well-known/security.txt", security_txt.show, name="security_txt"),
    path("healthz", health.alive, name="healthz"),
    path("readyz", health.ready, name="readyz"),
    path("metrics", metrics_view.show, name="metrics"),
]
