// Runs pytest on this repository under Pyodide: node tests/pyodide/run.mjs PACKAGES [OPTION...]
// PACKAGES is the folder with pytest and Hypothesis for Pyodide's Python, OPTION one of pytest's.

import { existsSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { loadPyodide, version } from "pyodide";

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

// Pyodide ships Python's own modules as their sources alone, which it takes longer to compile than
// to run. This makes an archive of them in which all those that were imported are compiled.
const COMPILE = `
import compileall
import py_compile
import shutil
import sys

archive = next(place for place in sys.path if place.endswith(".zip"))
shutil.unpack_archive(archive, "/library")
for module in list(sys.modules.values()):
    place = getattr(module, "__file__", None) or ""
    if place.startswith(archive):
        compileall.compile_file(
            place.replace(archive, "/library"),
            legacy=True,  # beside its source, where an archive has it
            stripdir="/library",
            prependdir=archive,
            quiet=1,
            invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
        )
shutil.make_archive("/compiled", "zip", "/library")
`;

const [packages, ...options] = process.argv.slice(2);
if (packages === undefined) {
  console.error("usage: node tests/pyodide/run.mjs PACKAGES [OPTION...]");
  process.exit(2);
}

const library = path.resolve(packages, `python_stdlib-${version}.zip`);
const compiled = existsSync(library);
const python = await loadPyodide({
  ...(compiled && { stdLibURL: library }),
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
if (!compiled) {
  python.runPython(COMPILE);
  writeFileSync(`${library}.${process.pid}`, python.FS.readFile("/compiled.zip"));
  renameSync(`${library}.${process.pid}`, library);
}
