"""Read the tags of many chats in the query that lists the chats."""

from typing import Any

from django.db.models import Func, JSONField, OuterRef, Subquery
from django.db.models.sql.compiler import SQLCompiler

from chat.projects.models import ChatTag


class _Pairs(Func):
    """An array of the pairs in all rows, as JSON. An `Aggregate` would group the rows."""

    arity = 2
    output_field = JSONField()

    def as_sqlite(self, compiler: SQLCompiler, connection: Any, **more: Any) -> tuple[str, Any]:
        template = "json_group_array(json_array(%(expressions)s))"
        return self.as_sql(compiler, connection, template=template, **more)

    def as_postgresql(self, compiler: SQLCompiler, connection: Any, **more: Any) -> tuple[str, Any]:
        template = "jsonb_agg(jsonb_build_array(%(expressions)s))"
        return self.as_sql(compiler, connection, template=template, **more)


def tags_of_row() -> Subquery:
    """Return the [name, color] of the tags of the query's chat; for none, an empty list or None."""
    tags = ChatTag.objects.filter(conversations=OuterRef("pk"))
    return Subquery(tags.values(pairs=_Pairs("name", "color")))
