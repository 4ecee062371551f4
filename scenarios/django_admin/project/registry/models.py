"""Companies, their contacts, and tags."""

# mypy: disable-error-code="import-untyped, misc"

from django.db import models


class Tag(models.Model):
    """A word that companies are found by."""

    name = models.CharField(max_length=40, unique=True)

    class Meta:
        """In the order of the alphabet."""

        ordering = ("name",)

    def __str__(self) -> str:
        return str(self.name)


class Company(models.Model):
    """A company that may be, is, or was a client."""

    class Status(models.TextChoices):
        """How it is doing."""

        ACTIVE = "active", "Active"
        PAUSED = "paused", "Paused"
        DISSOLVED = "dissolved", "Dissolved"

    name = models.CharField(max_length=100, unique=True)
    founded = models.DateField()
    review = models.DateField("next review")
    valuation = models.IntegerField(help_text="In whole dollars.")
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.ACTIVE)
    is_client = models.BooleanField("client", default=False)
    tags = models.ManyToManyField(Tag, blank=True)
    notes = models.TextField(blank=True)
    logo = models.FileField(upload_to="logos", blank=True)

    class Meta:
        """In the order of the alphabet."""

        ordering = ("name",)
        verbose_name_plural = "companies"

    def __str__(self) -> str:
        return str(self.name)


class Contact(models.Model):
    """Whom to talk to."""

    company = models.ForeignKey(Company, models.CASCADE, related_name="contacts")
    name = models.CharField(max_length=100)
    email = models.EmailField("e-mail", unique=True)
    role = models.CharField(max_length=60, blank=True)

    class Meta:
        """As they were entered."""

        ordering = ("pk",)

    def __str__(self) -> str:
        return str(self.email)
