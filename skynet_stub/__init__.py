"""A local stub of Skynet's metric contract: check a metric on your own machine.

`check_metric` runs a metric on cases and reports item by item; `check_return_value` judges one
return value; `load_cases` reads a case file. `Refused` is what they raise for input that cannot
be used; the other names are the types of what they take and give. Everything else is internal.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as type checkers know it; the command imports nothing before it can say why

if TYPE_CHECKING:
    from skynet_stub.cases import Case, Measured, Pin, load_cases
    from skynet_stub.check import Failure, ItemResult, Report, check_metric
    from skynet_stub.helpers import ModelCall, Models
    from skynet_stub.outcomes import Advice, Called, Loading, Printed, Returned
    from skynet_stub.reasons import Fault, Hint
    from skynet_stub.refused import Refused
    from skynet_stub.return_value import Verdict, check_return_value

__version__ = "0.1.0"

__all__ = [
    "Advice",
    "Called",
    "Case",
    "Failure",
    "Fault",
    "Hint",
    "ItemResult",
    "Loading",
    "Measured",
    "ModelCall",
    "Models",
    "Pin",
    "Printed",
    "Refused",
    "Report",
    "Returned",
    "Verdict",
    "check_metric",
    "check_return_value",
    "load_cases",
]

_HOMES = {
    "cases": ("Case", "Measured", "Pin", "load_cases"),
    "check": ("Failure", "ItemResult", "Report", "check_metric"),
    "helpers": ("ModelCall", "Models"),
    "outcomes": ("Advice", "Called", "Loading", "Printed", "Returned"),
    "reasons": ("Fault", "Hint"),
    "refused": ("Refused",),
    "return_value": ("Verdict", "check_return_value"),
}


if not TYPE_CHECKING:  # or no name would be unknown to a type checker

    def __getattr__(name):
        """A public name, imported when it is first asked for: the command needs few of them."""
        from importlib import import_module

        for module, names in _HOMES.items():
            if name in names:
                value = getattr(import_module(f"skynet_stub.{module}"), name)
                globals()[name] = value
                return value
        raise AttributeError(f"module 'skynet_stub' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*globals(), *__all__]
