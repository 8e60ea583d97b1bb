"""Try to break the promise that the pages are true: `python -m drill` makes them untrue, one change
at a time in a copy, and says which test noticed."""
