// Runs pytest on this repository under Pyodide: node tests/pyodide/run.mjs PACKAGES [OPTION...]
// PACKAGES is the folder with pytest and Hypothesis for Pyodide's Python, OPTION one of pytest's.

import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { loadPyodide } from "pyodide";

// Nothing is left behind in the repository, which is the real one: no bytecode, no cache. What is
// costly to make of the packages is kept beside them, for the next run.
const PROGRAM = `
import os
import sys

sys.path.insert(0, "/packages")
sys.dont_write_bytecode = False
import hypothesis.strategies
import pytest
sys.dont_write_bytecode = True

os.chdir("/repository")
int(pytest.main(["-p", "no:cacheprovider", *options]))
`;

const [packages, ...options] = process.argv.slice(2);
if (packages === undefined) {
  console.error("usage: node tests/pyodide/run.mjs PACKAGES [OPTION...]");
  process.exit(2);
}

const python = await loadPyodide({
  env: { HYPOTHESIS_STORAGE_DIRECTORY: "/packages/hypothesis-storage", PYTEST_DISABLE_PLUGIN_AUTOLOAD: "1" },
});
const repository = fileURLToPath(new URL("../..", import.meta.url));
for (const [place, root] of [
  ["/packages", path.resolve(packages)],
  ["/repository", repository],
]) {
  python.FS.mkdirTree(place);
  python.FS.mount(python.FS.filesystems.NODEFS, { root }, place);
}
process.exitCode = python.runPython(PROGRAM, { globals: python.toPy({ options }) });
