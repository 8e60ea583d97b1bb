"""What holds for every test: how Hypothesis draws its examples."""

import sys

from hypothesis import settings

# A shared machine is slow at times, so no example has a deadline. (Under CI=true Hypothesis takes
# its own profile "ci", which draws the same examples each time and keeps no database.)
settings.register_profile("patient", deadline=None)

if sys.platform == "emscripten":
    settings.load_profile("ci")
elif settings.get_current_profile_name() == "default":
    settings.load_profile("patient")
