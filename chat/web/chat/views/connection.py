"""Serve the dialog that the emulator badge opens."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe


@require_safe
@never_cache
@login_required
def show(request: HttpRequest) -> HttpResponse:
    """Explain how to connect a real Cloudflare account."""
    return render(request, "chat/_connection.html")
