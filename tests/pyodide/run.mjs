// Runs pytest on this repository under Pyodide: node tests/pyodide/run.mjs PACKAGES [OPTION...]
// PACKAGES is the folder with pytest and Hypothesis for Pyodide's Python, OPTION one of pytest's.

import { readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { loadPyodide } from "pyodide";

// Nothing is left behind in the repository, which is the real one: no bytecode, no cache.
const BEGIN = `
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, "/packages")

import pytest
`;
const PROGRAM = `
import os

import pytest

os.chdir("/repository")
int(pytest.main(["-p", "no:cacheprovider", *options]))
`;

const [packages, ...options] = process.argv.slice(2);
if (packages === undefined) {
  console.error("usage: node tests/pyodide/run.mjs PACKAGES [OPTION...]");
  process.exit(2);
}
const repository = fileURLToPath(new URL("../..", import.meta.url));
const env = {
  HYPOTHESIS_STORAGE_DIRECTORY: "/packages/.hypothesis", // a table of all characters, once made
  PYTEST_DISABLE_PLUGIN_AUTOLOAD: "1",
};

// Python compiles its library anew at each start, which takes longer than anything that comes
// after. So what begins a run is kept beside the packages, as it then lies in memory.
const kept = path.resolve(packages, "begun.snapshot");

async function begun() {
  try {
    return await restored(readFileSync(kept));
  } catch (problem) {
    if (problem.code !== "ENOENT") console.error(`a new beginning, since ${problem}`);
    const first = await loadPyodide({ env, _makeSnapshot: true });
    mount(first);
    first.runPython(BEGIN);
    const memory = first.makeMemorySnapshot();
    writeFileSync(`${kept}.${process.pid}`, memory);
    renameSync(`${kept}.${process.pid}`, kept);
    return restored(memory);
  }
}

async function restored(memory) {
  // Pyodide restores into the memory that it starts with, and that must have room for it.
  const instantiate = WebAssembly.instantiate;
  WebAssembly.instantiate = async (...given) => {
    const result = await instantiate(...given);
    const room = (result.instance ?? result).exports.memory;
    room?.grow(Math.max(0, Math.ceil((memory.byteLength - room.buffer.byteLength) / 65536)));
    return result;
  };
  try {
    const python = await loadPyodide({ env, _loadSnapshot: memory });
    mount(python);
    return python;
  } finally {
    WebAssembly.instantiate = instantiate;
  }
}

function mount(python) {
  for (const [place, root] of [
    ["/packages", path.resolve(packages)],
    ["/repository", repository],
  ]) {
    python.FS.mkdirTree(place);
    python.FS.mount(python.FS.filesystems.NODEFS, { root }, place);
  }
}

const python = await begun();
process.exitCode = python.runPython(PROGRAM, { globals: python.toPy({ options }) });
