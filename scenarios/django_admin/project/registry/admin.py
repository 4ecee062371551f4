"""The stock admin of the models; its number field is narrower than some of its numbers."""

# mypy: disable-error-code="import-untyped, misc, untyped-decorator"

from django.contrib import admin
from django.contrib.admin.widgets import AdminIntegerFieldWidget
from django.db.models import IntegerField, QuerySet
from django.http import HttpRequest

from .models import Company, Contact, Tag


class ContactInline(admin.TabularInline):
    """A company's contacts, as rows of its form."""

    model = Contact
    extra = 0


@admin.register(Company)
class CompanyAdmin(admin.ModelAdmin):
    """Companies with their contacts."""

    list_display = ("name", "status", "is_client", "founded", "review")
    list_filter = ("status", "is_client", "tags")
    list_per_page = 20
    search_fields = ("name", "contacts__email")
    filter_horizontal = ("tags",)
    inlines = (ContactInline,)
    actions = ("mark_as_client",)
    formfield_overrides = {  # noqa: RUF012 - as Django's documentation has it
        IntegerField: {"widget": AdminIntegerFieldWidget(attrs={"style": "width: 4.9em"})}
    }

    @admin.action(description="Mark selected companies as clients")
    def mark_as_client(self, request: HttpRequest, queryset: QuerySet) -> None:
        """Make the companies clients, and say how many."""
        changed = queryset.update(is_client=True)
        self.message_user(request, f"{changed} marked as clients.")


admin.site.register(Tag)
