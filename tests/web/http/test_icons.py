"""Icons are rendered when a template is compiled, not for each row."""

import pytest
from django.template import Context, Template, TemplateSyntaxError
from django.template.base import TextNode

from chat.templatetags.lucide import DEFAULT_SIZE, icon


def test_an_icon_becomes_text_of_its_template() -> None:
    made = Template('{% load lucide %}{% lucide "x" size=16 class="points-back" %}')
    shown = made.render(Context())
    assert shown.startswith(
        '<svg class="icon points-back" width="16" height="16" viewBox="0 0 24 24"'
    )
    assert '<path d="M18 6 6 18"/>' in shown
    assert 'aria-hidden="true"' in shown
    assert [type(node) for node in made.nodelist[1:]] == [TextNode]


def test_an_icon_of_the_default_size_leaves_its_size_to_the_style_sheet() -> None:
    assert icon("x", DEFAULT_SIZE).startswith('<svg class="icon" viewBox=')


def test_an_icon_has_no_extra_whitespace() -> None:
    assert "\n" not in icon("pencil", 16)
    assert " />" not in icon("pencil", 16)


@pytest.mark.parametrize("tag", ['"no-such-icon"', '"x" colour="red"', '"x" "y"'])
def test_a_wrong_icon_name_fails_when_the_template_is_compiled(tag: str) -> None:
    with pytest.raises(TemplateSyntaxError):
        Template("{% load lucide %}{% lucide " + tag + " %}")
