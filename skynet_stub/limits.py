"""The platform's limits (A7), and the day on which its guide was recorded."""

from __future__ import annotations

import datetime

METRIC_TIMEOUT_SECONDS = 60
"""How long loading the file, or one call of the metric, may take by default, in seconds (A7)."""

METRIC_TIMEOUT_MAX_SECONDS = 600
"""The longest timeout that can be asked for, in seconds (A7, B4)."""

METRIC_MEMORY_MIB = 1024
"""How much a metric and all that it starts may hold by default, in MiB of resident memory: the
stub's own limit, which the platform does not state."""

CONTRACT_CHECK_CASES = 3
"""How many cases, from the first on, the contract check calls the metric with (A7, B5)."""

GUIDE_RECORDED = datetime.date(2026, 11, 30)
"""The day on which the platform's scorer guide was last recorded as the facts of this project."""
