"""`python -m skynet_stub`: the command."""

from skynet_stub.command import run

run()
