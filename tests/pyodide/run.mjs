// Runs pytest on this repository under Pyodide: node tests/pyodide/run.mjs PACKAGES [OPTION...]
// PACKAGES is the folder with pytest and Hypothesis for Pyodide's Python, OPTION one of pytest's.

import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { loadPyodide } from "pyodide";

// Nothing is left behind in the repository, which is the real one: no bytecode, no cache.
const PROGRAM = `
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, "/packages")
os.chdir("/repository")

import pytest

int(pytest.main(["-p", "no:cacheprovider", *options]))
`;

const [packages, ...options] = process.argv.slice(2);
if (packages === undefined) {
  console.error("usage: node tests/pyodide/run.mjs PACKAGES [OPTION...]");
  process.exit(2);
}

const python = await loadPyodide({
  env: { HYPOTHESIS_STORAGE_DIRECTORY: "/tmp/hypothesis", PYTEST_DISABLE_PLUGIN_AUTOLOAD: "1" },
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
