"""Register the checks of this package with Django."""

from django.apps import AppConfig


class ServingConfig(AppConfig):
    name = "project.serving"
    label = "serving"

    def ready(self) -> None:
        from project.serving import checks

        checks.register()
