"""`python -m skynet_stub`: the command."""

from skynet_stub.command import be_the_command

be_the_command()
