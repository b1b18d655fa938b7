"""Templates lose only indentation that nobody sees."""

from project.template_loader import template_loaders, unindented


def test_indentation_is_removed_and_words_stay_apart() -> None:
    source = "<p>\n  one\n  {% if two %}\n    two\n  {% endif %}\n\n  three\n</p>\n"
    assert unindented(source) == "<p>\none\n{% if two %}two\n{% endif %}three\n</p>\n"


def test_words_on_separate_lines_stay_separate() -> None:
    source = '  {% translate "One" %}\n  {% translate "two" %}\n'
    assert unindented(source) == '  {% translate "One" %}\n{% translate "two" %}\n'


def test_with_debug_errors_name_the_lines_of_the_file() -> None:
    ((_cached, (own, _apps)),) = template_loaders(is_debugging=True)
    assert own == "django.template.loaders.filesystem.Loader"
