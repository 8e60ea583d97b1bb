"""`python -m skynet_stub`: the command."""

import sys

from skynet_stub.command import run

sys.exit(run())
