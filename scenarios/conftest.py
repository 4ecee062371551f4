"""Scenarios leave Allure results even when nobody asks for them."""

import pytest


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    config.option.allure_report_dir = config.option.allure_report_dir or "reports/allure-results"
