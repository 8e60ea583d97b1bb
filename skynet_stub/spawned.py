"""What a child that `multiprocessing` starts anew runs first: the worker has it as `__main__`.

Such a child (of `spawn` or `forkserver`) imports what is sent to it by name, so `metric` must be
the file that is checked there too, whatever it is called and whatever stands beside it, and
`skynet` the stub's. `multiprocessing` hands on `sys.argv`, whose first is the path of the metric;
where the metric puts a name there instead, `metric` is sought as anything else is.
"""

from __future__ import annotations

import os
import sys
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from types import CodeType, ModuleType

MODULE_NAME = "metric"
"""The name of the module that a metric file is loaded as (B3)."""


class SourceLoader(SourceFileLoader):
    """Python's loader of source files, that neither reads nor writes compiled files."""

    def get_code(self, fullname: str) -> CodeType:
        code: CodeType = self.source_to_code(self.get_data(self.path), self.path)
        return code


class _Finder:
    """Finds the two modules once they are asked for: not every child asks."""

    def find_spec(self, name: str, *_: object) -> ModuleSpec | None:
        path = sys.argv[0] if sys.argv else ""
        # The metric may have put something else there.
        if name == MODULE_NAME and os.path.isabs(path) and os.path.isfile(path):  # noqa: PTH113, PTH117
            return spec_from_file_location(name, path, loader=SourceLoader(name, path))
        return ModuleSpec(name, self) if name == "skynet" else None  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """The `skynet` module, as it is outside a running case: no case is in hand in here."""
        sys.path.insert(0, os.path.dirname(os.path.dirname(__file__)))  # noqa: PTH120
        try:
            from skynet_stub.helpers import Helpers
        finally:
            del sys.path[0]
        return Helpers().module()

    def exec_module(self, module: ModuleType) -> None: ...


if __name__ == "__mp_main__":
    sys.dont_write_bytecode = True  # nothing is left in the folder of the metric
    sys.meta_path.insert(0, _Finder())
