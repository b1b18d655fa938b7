from django.db import models


class ModelOverlay(models.Model):
    """What differs from the catalogue file for one model, or a model that the file lacks.

    `from_service` holds facts taken over from the provider's list, `own` those that an
    administrator set, which win. Both have the keys of the catalogue file. Triggers change the
    version of the rules with each row, so all processes notice (chat/database/config_version.py).
    """

    model = models.CharField(max_length=200, primary_key=True)
    from_service = models.JSONField(default=dict, blank=True)
    own = models.JSONField(default=dict, blank=True)
    is_offered = models.BooleanField(null=True)  # null: as the file says
    position = models.PositiveIntegerField(null=True)  # null: after those that have one

    def __str__(self) -> str:
        return self.model
