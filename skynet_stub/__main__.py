"""`python -m skynet_stub`: the command."""

import sys

from skynet_stub.command import main

sys.exit(main())
