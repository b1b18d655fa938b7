"""Route mail that a mail server or provider posts. The address is fixed."""

from django.urls import path

from chat.web.inbound_mail import views

# Mailgun posts whole emails to addresses that end in "mime".
urlpatterns = [path("inbound-mail/mime", views.receive, name="inbound_mail")]
