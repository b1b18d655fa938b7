from django.db import models


class SiteSetting(models.Model):
    """One setting that was saved in the page; `setting_names.py` lists them.

    Secrets are encrypted. Triggers change the version of the rules with each row, so all processes
    notice (chat/database/config_version.py).
    """

    name = models.CharField(max_length=40, primary_key=True)
    value = models.JSONField()

    def __str__(self) -> str:
        return self.name


class SiteLogo(models.Model):
    """The logo that the site shows. Its address contains the digest, so browsers keep it."""

    digest = models.CharField(max_length=32, unique=True)
    kind = models.CharField(max_length=8)  # a key of `picture_format.CONTENT_TYPES`
    content = models.BinaryField()

    def __str__(self) -> str:
        return self.digest
