"""Keep the translations from falling behind the English pages unseen.

A translated page's front matter says which English text each of its sections follows. What follows
from that is told to readers (`notices`), to maintainers (`status`, `diff`), and to the tests
(`checks`). `python -m translation` has the commands.
"""
