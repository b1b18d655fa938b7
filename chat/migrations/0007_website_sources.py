"""Add what is read of websites: sources, pages, and the turns of hosts."""

import uuid

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("chat", "0006_website_knowledge"),
    ]

    operations = [
        migrations.CreateModel(
            name="CrawlTurn",
            fields=[
                ("name", models.CharField(max_length=300, primary_key=True, serialize=False)),
                ("free_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("failures", models.PositiveSmallIntegerField(default=0)),
                ("robots_origin", models.CharField(blank=True, max_length=300)),
                ("robots", models.TextField(blank=True)),
                ("robots_status", models.PositiveSmallIntegerField(default=0)),
                ("robots_at", models.DateTimeField(null=True)),
            ],
        ),
        migrations.AddField(
            model_name="widgetsite",
            name="watches_pages",
            field=models.BooleanField(db_default=True, default=True),
        ),
        migrations.CreateModel(
            name="WebsiteSource",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[("site", "Website"), ("page", "Single page")],
                        default="site",
                        max_length=4,
                    ),
                ),
                ("address", models.CharField(max_length=2000)),
                ("sitemaps", models.JSONField(blank=True, default=list)),
                ("includes", models.JSONField(blank=True, default=list)),
                ("excludes", models.JSONField(blank=True, default=list)),
                ("is_active", models.BooleanField(default=True)),
                ("confirmed_at", models.DateTimeField(null=True)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("crawled_at", models.DateTimeField(null=True)),
                ("next_crawl_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "site",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="sources",
                        to="chat.widgetsite",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="WebsitePage",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("address", models.CharField(max_length=2000)),
                ("digest", models.CharField(max_length=64)),
                ("is_sitemap", models.BooleanField(default=False)),
                ("depth", models.PositiveSmallIntegerField(default=0)),
                ("pattern", models.CharField(blank=True, max_length=64)),
                ("title", models.CharField(blank=True, max_length=200)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "Waiting"),
                            ("read", "Read"),
                            ("unchanged", "Unchanged"),
                            ("robots", "Not allowed by robots.txt"),
                            ("noindex", "Marked noindex"),
                            ("canonical", "Names another address as canonical"),
                            ("redirect", "Redirects to another address"),
                            ("login", "Redirects to a sign-in page"),
                            ("not_html", "Not a web page"),
                            ("too_large", "Too large"),
                            ("empty", "No text without scripts"),
                            ("duplicate", "Same text as another page"),
                            ("unreadable", "Too complex to read"),
                            ("missing", "Not found"),
                            ("error", "Error"),
                            ("full", "No space left"),
                        ],
                        default="waiting",
                        max_length=10,
                    ),
                ),
                ("status", models.PositiveSmallIntegerField(default=0)),
                ("problem", models.CharField(blank=True, max_length=20)),
                ("due_at", models.DateTimeField(default=django.utils.timezone.now, null=True)),
                ("is_urgent", models.BooleanField(default=False)),
                ("failures", models.PositiveSmallIntegerField(default=0)),
                ("missing_count", models.PositiveSmallIntegerField(default=0)),
                ("fetched_at", models.DateTimeField(null=True)),
                ("changed_at", models.DateTimeField(null=True)),
                ("received_bytes", models.PositiveBigIntegerField(default=0)),
                ("etag", models.CharField(blank=True, max_length=200)),
                ("last_modified", models.CharField(blank=True, max_length=200)),
                ("lastmod", models.CharField(blank=True, max_length=40)),
                ("text_hash", models.CharField(blank=True, max_length=64)),
                ("seen_hash", models.CharField(blank=True, max_length=64)),
                ("reported_hash", models.CharField(blank=True, max_length=64)),
                ("ignore_seconds", models.PositiveIntegerField(default=0)),
                ("ignored_until", models.DateTimeField(null=True)),
                (
                    "site",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="source_pages",
                        to="chat.widgetsite",
                    ),
                ),
                (
                    "source",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="pages",
                        to="chat.websitesource",
                    ),
                ),
            ],
            # At once: the previous version knows no such table.
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("site", "digest"), name="one_page_per_site_address"
                    )
                ],
            },
        ),
        migrations.AddIndex(
            model_name="websitesource",
            index=models.Index(fields=["next_crawl_at"], name="sources_by_next_crawl"),
        ),
        migrations.AddIndex(
            model_name="websitepage",
            index=models.Index(fields=["site", "due_at"], name="source_pages_due"),
        ),
        migrations.AddIndex(
            model_name="websitepage",
            index=models.Index(fields=["due_at"], name="source_pages_by_due_time"),
        ),
        migrations.AddIndex(
            model_name="websitepage",
            index=models.Index(fields=["source", "state"], name="source_pages_by_state"),
        ),
    ]
