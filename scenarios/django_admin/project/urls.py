"""The admin, and nothing else."""

# mypy: disable-error-code="import-untyped, misc"

from django.contrib import admin
from django.urls import path

urlpatterns = [path("admin/", admin.site.urls)]
