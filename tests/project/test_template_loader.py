"""Templates lose the indentation that nobody sees, and nothing else."""

from project.template_loader import template_loaders, unindented


def test_indentation_goes_and_words_stay_apart() -> None:
    source = "<p>\n  one\n  {% if two %}\n    two\n  {% endif %}\n\n  three\n</p>\n"
    assert unindented(source) == "<p>\none\n{% if two %}two\n{% endif %}three\n</p>\n"


def test_words_of_a_tag_keep_the_space_after_them() -> None:
    source = '  {% translate "One" %}\n  {% translate "two" %}\n'
    assert unindented(source) == '  {% translate "One" %}\n{% translate "two" %}\n'


def test_where_one_debugs_errors_name_the_lines_of_the_file() -> None:
    ((_cached, (own, _apps)),) = template_loaders(is_debugging=True)
    assert own == "django.template.loaders.filesystem.Loader"
