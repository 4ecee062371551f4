"""Put in what standard input says: ``{table: [{column: text}]}`` in JSON, as the CSV files of a case have it."""

# mypy: disable-error-code="import-untyped, misc"

import json
import sys

from django.contrib.auth.models import Group, Permission, User
from django.core.management.base import BaseCommand
from django.db import transaction

from registry.models import Company, Contact, Tag  # type: ignore[import-not-found]

Row = dict[str, str]


class Command(BaseCommand):
    """Adds to what is there."""

    def handle(self, **_: object) -> None:
        """Read the tables and add their rows; those that others refer to go first."""
        tables = json.load(sys.stdin)
        adding = {"group": add_group, "user": add_user, "tag": add_tag, "company": add_company, "contact": add_contact}
        with transaction.atomic():
            for name, add in adding.items():
                for row in tables.get(name, ()):
                    add(row)


def add_group(row: Row) -> None:
    group = Group.objects.create(name=row["name"])
    group.permissions.set(Permission.objects.filter(codename__in=members(row["permissions"])))


def add_user(row: Row) -> None:
    user = User.objects.create_user(
        row["username"],
        row["email"],
        row["password"],
        first_name=row["first_name"],
        last_name=row["last_name"],
        is_staff=row["is_staff"] == "true",
        is_superuser=row["is_superuser"] == "true",
    )
    user.groups.set(Group.objects.filter(name__in=members(row["groups"])))


def add_tag(row: Row) -> None:
    Tag.objects.create(name=row["name"])


def add_company(row: Row) -> None:
    company = Company.objects.create(
        name=row["name"],
        founded=row["founded"],
        review=row["review"],
        valuation=int(row["valuation"]),
        status=row["status"],
        is_client=row["is_client"] == "true",
        notes=row["notes"].replace("\n", "\r\n"),  # as a form hands them in
    )
    company.tags.set(Tag.objects.filter(name__in=members(row["tags"])))


def add_contact(row: Row) -> None:
    company = Company.objects.get(name=row["company"])
    Contact.objects.create(company=company, name=row["name"], email=row["email"], role=row["role"])


def members(text: str) -> list[str]:
    return [member for member in text.split(",") if member]
