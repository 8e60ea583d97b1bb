"""A local stub of Skynet's metric contract: check a metric on your own machine.

`check_metric` runs a metric on cases and reports item by item; `check_return_value` judges one
return value; `load_cases` reads a case file. `Refused` is what they raise for input that cannot
be used. Everything else is internal.
"""

from skynet_stub.cases import Case, Measured, Pin, load_cases
from skynet_stub.check import Failure, ItemResult, Report, check_metric
from skynet_stub.helpers import Models
from skynet_stub.reasons import Fault, Hint
from skynet_stub.refused import Refused
from skynet_stub.return_value import Verdict, check_return_value

__all__ = [
    "Case",
    "Failure",
    "Fault",
    "Hint",
    "ItemResult",
    "Measured",
    "Models",
    "Pin",
    "Refused",
    "Report",
    "Verdict",
    "check_metric",
    "check_return_value",
    "load_cases",
]
