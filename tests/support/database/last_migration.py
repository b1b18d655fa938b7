from django.conf import settings

#: The name of the app's last migration.
LAST_MIGRATION = max(each.stem for each in (settings.BASE_DIR / "chat/migrations").glob("0*.py"))
