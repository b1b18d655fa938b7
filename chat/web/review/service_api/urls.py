"""Route what programs with a service key read, below /v1/review/."""

from django.urls import path

from chat.web.review.service_api import views

urlpatterns = [
    path("conversations", views.list_conversations, name="service_conversations"),
    path(
        "conversations/<uuid:conversation_id>",
        views.show_conversation,
        name="service_conversation",
    ),
    path("messages", views.find_messages, name="service_messages"),
    path("cases", views.list_cases, name="service_cases"),
    path("cases/<int:case_id>", views.show_case, name="service_case"),
    path("figures/<slug:table>", views.show_figures, name="service_figures"),
    path("limits", views.list_limits, name="service_limits"),
    path("audit/access", views.list_access, name="service_access_log"),
    path("audit/actions", views.list_actions, name="service_staff_actions"),
    path("audit/seals", views.list_seals, name="service_seals"),
]
