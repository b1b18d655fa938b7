"""Route running answers: watch, stop and take over."""

from django.urls import path

from chat.web.review.live import views

urlpatterns = [
    path("live/", views.show_live, name="review_live"),
    path("live/now/", views.show_now, name="review_live_now"),
    path("<uuid:conversation_id>/live/<uuid:generation_id>/", views.watch, name="review_watch"),
    path("<uuid:conversation_id>/updates/", views.updates, name="review_updates"),
    path("<uuid:conversation_id>/stop/", views.stop, name="review_stop"),
    path("<uuid:conversation_id>/takeover/", views.take_over, name="review_takeover"),
    path("<uuid:conversation_id>/turns/", views.send_message, name="review_send_message"),
    path("<uuid:conversation_id>/handback/", views.hand_back, name="review_handback"),
]
