"""Which faults there are: families under the entry points ``sopbench.faults``, so that any package can add its own.

An entry point names a family and gives its faults by their own names. ``network = "sopbench.faults.network:FAULTS"``
with ``{"latency": Latency}`` makes the fault ``network.latency``. A family is imported when one of its faults is asked
for.
"""

from __future__ import annotations

from functools import cache
from importlib.metadata import entry_points
from typing import TYPE_CHECKING

from sopbench.errors import ConditionInvalid
from sopbench.sop.problems import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sopbench.trials.fault import Fault

GROUP = "sopbench.faults"


@cache
def family(name: str) -> Mapping[str, type[Fault]]:
    """The faults of a family, by name. Raises: ConditionInvalid when there is no such family, or it does not load."""
    found = {point.name: point for point in entry_points(group=GROUP)}
    if name not in found:
        known = did_you_mean(name, found) or f"there are {', '.join(sorted(found)) or 'none'}"
        raise ConditionInvalid(f"no installed package has faults called {name}.…; {known}")
    try:
        faults: Mapping[str, type[Fault]] = found[name].load()
    except (ImportError, AttributeError) as error:
        raise ConditionInvalid(f"the faults {name}.… cannot be loaded from {found[name].value}: {error}") from error
    return faults


def fault_class(name: str) -> type[Fault]:
    """The fault called ``family.name``. Raises: ConditionInvalid, naming those there are."""
    group, dot, own = name.partition(".")
    if not dot:
        raise ConditionInvalid(f"a fault is called family.name, such as network.latency, not {name!r}")
    faults = family(group)
    if own not in faults:
        hint = did_you_mean(name, [f"{group}.{each}" for each in faults]) or f"there are {', '.join(sorted(faults))}"
        raise ConditionInvalid(f"there is no fault {name!r}; {hint}")
    return faults[own]


def all_faults() -> dict[str, type[Fault]]:
    """Every fault that is installed, by its whole name."""
    names = sorted({point.name for point in entry_points(group=GROUP)})
    return {f"{group}.{name}": kind for group in names for name, kind in sorted(family(group).items())}
