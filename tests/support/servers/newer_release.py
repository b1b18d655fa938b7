"""Make a newer version of a copy of the release: models, a migration, a tag library, templates."""

import re
from pathlib import Path

#: In each page of the newer version that extends `base.html`.
MARK = "of the newer version"
MIGRATION = """
from django.conf import settings
from django.db import migrations, models

CASCADE = models.CASCADE

class Migration(migrations.Migration):
    dependencies = [("chat", "{last}")]
    operations = [
        migrations.AddField("persona", "tone", models.CharField(max_length=9, db_default="")),
        migrations.AddField("conversation", "color", models.CharField(max_length=9, null=True)),
        migrations.AddField("message", "mood", models.CharField(max_length=9, null=True)),
        migrations.CreateModel(
            "Bookmark",
            [
                ("id", models.BigAutoField(primary_key=True)),
                ("person", models.ForeignKey(settings.AUTH_USER_MODEL, CASCADE)),
                ("conversation", models.ForeignKey("chat.conversation", CASCADE)),
            ],
        ),
    ]
"""
BOOKMARKS = '''
from django.db import models

from chat.accounts.models import User
from chat.conversations.models import Conversation


class Bookmark(models.Model):
    """A table that the older version doesn't know."""

    id = models.BigAutoField(primary_key=True)
    person = models.ForeignKey(User, models.CASCADE)
    conversation = models.ForeignKey(Conversation, models.CASCADE)
'''
TAGS = f'''
from django import template

register = template.Library()


@register.simple_tag
def newer_mark() -> str:
    return "{MARK}"
'''
#: Where a column is added, after which line, and the column.
COLUMNS = (
    (
        "chat/personas/models.py",
        "    starters = models.JSONField(default=list, blank=True)\n",
        '    tone = models.CharField(max_length=9, db_default="")\n',
    ),
    (
        "chat/conversations/models.py",
        "    is_unread = models.BooleanField(default=False)  # an answer ended that its owner has not seen\n",
        "    color = models.CharField(max_length=9, null=True)\n",
    ),
    (
        "chat/conversations/models.py",
        "    role = models.CharField(max_length=9, choices=Role.choices)\n",
        "    mood = models.CharField(max_length=9, null=True)\n",
    ),
)


def make_newer(release: Path) -> None:
    """Change the release in this folder, a copy, into the next version."""
    migrations = release / "chat" / "migrations"
    last = max(path.stem for path in migrations.glob("[0-9]*.py"))
    (migrations / f"{last[:3]}9_newer.py").write_text(MIGRATION.format(last=last))
    for file, line, column in COLUMNS:
        _insert(release / file, line, column)
    (release / "chat" / "conversations" / "bookmarks.py").write_text(BOOKMARKS)
    first = "from chat.conversations.images.models import MessageImage, StoredImage\n"
    _insert(
        release / "chat" / "models.py", first, "from chat.conversations.bookmarks import Bookmark\n"
    )
    (release / "chat" / "templatetags" / "newer.py").write_text(TAGS)
    for template in (release / "templates").rglob("*.html"):
        _load_tags(template)
    base = release / "templates" / "base.html"
    _insert(
        base, '    <meta charset="utf-8">\n', '    <meta name="is" content="{% newer_mark %}">\n'
    )


def _load_tags(template: Path) -> None:
    """Make a template need the library that the older version lacks."""
    text = template.read_text()
    changed = re.sub(r"{% extends .*? %}", r"\g<0>{% load newer %}", text, count=1)
    template.write_text(changed if changed != text else "{% load newer %}" + text)


def _insert(file: Path, after: str, text: str) -> None:
    old = file.read_text()
    assert old.count(after) == 1, (file, after)
    file.write_text(old.replace(after, after + text))
