from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe


@require_safe
def alive(request: HttpRequest) -> HttpResponse:
    """The process answers."""
    return HttpResponse("ok\n", content_type="text/plain")
