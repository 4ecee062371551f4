"""The app's name."""

# mypy: disable-error-code="import-untyped, misc"

from django.apps import AppConfig


class RegistryConfig(AppConfig):
    """Companies, and whom to talk to there."""

    name = "registry"
    verbose_name = "Registry"
