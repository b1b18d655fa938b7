"""Render what is the same for everybody once per language, instead of in each response.

Most tags of a page are `{% translate "…" %}`, `{% url "…" %}` and `{% static "…" %}` with constant
arguments. When a template is compiled, each run of such tags and text becomes one node, which keeps
its text for each language.
"""

from typing import Any

from django.template import Context, Template
from django.template.base import FilterExpression, Node, NodeList, TextNode, Variable
from django.template.defaulttags import CommentNode, LoadNode, URLNode
from django.template.loaders import base, cached
from django.templatetags.i18n import TranslateNode
from django.templatetags.static import StaticNode
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language


class ConstantNode(Node):
    """A run of nodes whose text depends only on the language."""

    child_nodelists = ()

    def __init__(self, nodes: list[Node]) -> None:
        self._nodes = nodes
        self._texts: dict[str | None, SafeString] = {}
        self.token, self.origin = nodes[0].token, nodes[0].origin

    def render(self, context: Context) -> SafeString:
        language = get_language()
        text = self._texts.get(language)
        if text is None:
            parts = [str(each.render_annotated(context)) for each in self._nodes]
            text = self._texts[language] = mark_safe("".join(parts))  # noqa: S308
        return text


class _FoldingMixin(base.Loader):
    """Fold each template when it is compiled, before the cache keeps it."""

    def get_template(self, template_name: str, skip: Any = None) -> Template:
        template = super().get_template(template_name, skip)
        fold(template.nodelist)
        return template


class FoldingLoader(cached.Loader, _FoldingMixin):
    """Django's cached loader, with folded templates."""


def fold(nodes: NodeList) -> None:
    """Replace runs of constant nodes in `nodes`, and in all lists of nodes below."""
    folded: list[Node] = []
    run: list[Node] = []
    for node in nodes:
        if _is_constant(node):
            run.append(node)
            continue
        folded += _folded(run)
        run = []
        for each in _lists_below(node):
            fold(each)
        folded.append(node)
    nodes[:] = folded + _folded(run)


def _folded(run: list[Node]) -> list[Node]:
    if len(run) > 1 or (run and not isinstance(run[0], TextNode)):
        return [ConstantNode(run)]
    return run


def _lists_below(node: Node) -> list[NodeList]:
    """Return the lists of nodes that `node` renders, which Django's nodes keep as attributes."""
    conditions = [each for _, each in getattr(node, "conditions_nodelists", ())]
    return [*conditions, *(each for each in vars(node).values() if isinstance(each, NodeList))]


def _is_constant(node: Node) -> bool:
    match node:
        case TextNode() | LoadNode() | CommentNode():
            return True
        case TranslateNode(asvar=None, message_context=None):
            return _is_literal(node.filter_expression)
        case StaticNode(varname=None):
            return _is_literal(node.path)
        case URLNode(asvar=None):
            arguments = [node.view_name, *node.args, *node.kwargs.values()]
            # The URL of a namespace depends on the current one.
            return all(map(_is_literal, arguments)) and ":" not in str(node.view_name.var)
    return False


def _is_literal(expression: FilterExpression) -> bool:
    var = expression.var
    is_literal = var.literal is not None if isinstance(var, Variable) else var is not None
    return is_literal and not expression.filters
