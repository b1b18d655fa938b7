"""Route the images and files that members attach to their questions."""

from django.urls import path

from chat.web.images import views

urlpatterns = [
    path("chat/images/", views.upload, name="image_upload"),
    path("chat/images/<str:digest>", views.show, name="image"),
    path("chat/files/<str:file>", views.download, name="question_file"),
]
