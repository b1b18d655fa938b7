from django import template

from chat.lib.figures import grouped, measured

register = template.Library()
register.filter(grouped)
register.filter(measured)
