"""Show times to staff with the name of their zone."""

from datetime import datetime

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from chat.web.http.zoned_time import zoned

register = template.Library()
register.filter(zoned)


@register.simple_tag
def moment(value: datetime, style: str = "SHORT_DATETIME_FORMAT") -> SafeString:
    return format_html('<time datetime="{}">{}</time>', value.isoformat(), zoned(value, style))
