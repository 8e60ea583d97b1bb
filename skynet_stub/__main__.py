"""The way in: `python -m skynet_stub`, and the command `skynet-stub`."""

import os
import sys


def main() -> None:
    """Be the command. From here on Ctrl-C ends it without a word, also while it is loaded."""
    try:
        if not sys.flags.safe_path:
            del sys.path[0]  # there may be a `json.py` in the folder that it was started in
        from skynet_stub.command import be_the_command

        be_the_command()
    except KeyboardInterrupt:
        os._exit(130)


if __name__ == "__main__":
    main()
