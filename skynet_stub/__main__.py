"""`python -m skynet_stub`: the command."""

import os

try:
    from skynet_stub.command import be_the_command

    be_the_command()
except KeyboardInterrupt:  # while the command itself is loaded
    os._exit(130)
