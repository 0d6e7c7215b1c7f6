#!/usr/bin/env python3
"""layers.py SOURCE_DIR OBJECTS_DIR [NM]: src/ and cl/ keep their layers.

Each folder includes, and calls functions of, the folders that the tables below allow, and no two
files of src/ call each other in a circle. Includes are read from the sources, calls from the object
files by nm (NM), so an inline function calls nothing. layers.py --self-test shows that a planted
include, a planted call and a planted circle are found. Names what is wrong and exits with 1.
"""
import collections
import pathlib
import re
import subprocess
import sys

# Of src/: who may include and call whom. A file that is listed by itself is a folder of its own.
# make knows the chooser and all planners; what they share is in plan/ and below.
SRC = {
    "base": "",
    "tuning/words.c": "base tuning/words.h tuning/fields.h",
    "tuning/words.h": "base",
    "tuning/fields.h": "",
    "device": "base tuning/words.h tuning/words.c",
    "tuning": "base device tuning/words.h tuning/words.c tuning/fields.h",
    "program": "base device",
    "plan": "base device tuning program",
    "plan/lists": "base device tuning program plan",
    "plan/sorts": "base device tuning program plan plan/lists plan/sorts/partition",
    "plan/sorts/partition": "base device tuning program plan plan/lists plan/sorts",
    "plan/composed": "base device tuning program plan plan/lists plan/sorts",
    "choose": "base device tuning program plan plan/sorts plan/sorts/partition plan/composed",
    "plan/make.c": "base device tuning program plan plan/sorts plan/sorts/partition plan/composed "
                   "choose",
    "check": "base plan program",
    "host/alone": "base device tuning check plan",
    # What a sorter holds is known to all that stand above plans: also what host/ keeps there.
    "call/sorter.h": "base device tuning program plan check host/pin.h host/pool.h host/staging.h",
    "host/pin.h": "base",
    "host/pool.h": "base plan host/pin.h",
    "host/staging.h": "base device host/pin.h host/pool.h",
    "run.h": "call/sorter.h",
    "run.c": "base plan program check run.h call/sorter.h",
    "host": "base device tuning check plan run.h run.c host/alone call/sorter.h call/sorter.c "
            "host/pin.h host/pool.h host/staging.h",
    "call/sorter.c": "base device tuning program plan plan/make.c plan/composed check run.h run.c "
                     "host call/sorter.h",
    "call": "base device tuning program plan plan/make.c plan/composed check run.h run.c host "
            "host/alone call/sorter.h call/sorter.c",
    "mpi": "base device check plan host/alone call/sorter.h",
}

# Of cl/: includes. A sort includes what a work-group has, and what its row names besides.
CL = {
    "base": "",
    "group": "base",
    "device": "base group",
    "move": "base group",
    "ordered": "base group device",
    "select": "base group device",
    "segments": "base group device sorts/partition",
    "cpu": "base group device segments",
    "strings": "base group device cpu",
    "sorts/sample": "base group device sorts/msd",
    "sorts/whole": "base group device sorts/partition",
}


class Layers:
    """The tables, and what the files do against them."""

    def __init__(self, table):
        self.table = {name: set(allowed.split()) for name, allowed in table.items()}
        self.wrong = []

    def unit(self, path):
        """The row of a file, which is a path below src/ or cl/."""
        folder = str(path.parent)
        for name in (str(path), folder):
            if name in self.table:
                return name
        return None

    def see(self, what, file, other):
        """One file includes or calls another."""
        here, there = self.unit(file), self.unit(other)
        if here is None:
            self.wrong.append(f"{file} is in no row of the table")
        elif here != there and there not in self.table[here]:
            self.wrong.append(f"{file} {what} {other}: {here} may not")


def includes(text):
    return re.findall(r'^\s*#\s*include\s+"([^"]+)"', text, re.M)


def check_includes(layers, files):
    """files: {path below src/ or cl/: text}."""
    for path, text in files.items():
        for name in includes(text):
            if pathlib.PurePath(name) in files:
                layers.see("includes", path, pathlib.PurePath(name))


def read_tree(folder):
    return {
        path.relative_to(folder): path.read_text()
        for path in sorted(folder.rglob("*"))
        if path.suffix in (".c", ".h", ".cl")
    }


def read_symbols(objects, nm):
    """{file: (what it defines, what it uses)}."""
    symbols = {}
    for path, file in objects.items():
        lines = subprocess.run([nm, path], capture_output=True, text=True, check=True).stdout
        words = [line.split() for line in lines.splitlines()]
        symbols[file] = (
            {word[2] for word in words if len(word) == 3 and word[1] in "TDBRC"},
            {word[1] for word in words if len(word) == 2 and word[0] == "U"},
        )
    return symbols


def calls_of(symbols):
    """{file: the files that it uses something of}."""
    homes = {name: file for file, (defined, _) in symbols.items() for name in defined}
    return {
        file: {homes[name] for name in used if homes.get(name, file) != file}
        for file, (_, used) in symbols.items()
    }


def circles(calls):
    """The sets of files that reach each other."""
    reached = {}
    for begin in calls:
        seen, todo = set(), list(calls[begin])
        while todo:
            file = todo.pop()
            if file not in seen:
                seen.add(file)
                todo.extend(calls.get(file, ()))
        reached[begin] = seen
    found = {frozenset(b for b in reached[a] if a in reached.get(b, ())) for a in calls
             if a in reached[a]}
    return sorted(sorted(map(str, circle)) for circle in found)


def check_calls(layers, calls):
    for file, others in calls.items():
        for other in sorted(others):
            layers.see("calls a function of", file, other)
    for circle in circles(calls):
        layers.wrong.append("a circle: " + ", ".join(circle))


def self_test():
    path = pathlib.PurePath
    layers = Layers({"low": "", "high": "low"})
    good = {path("low/a.h"): "", path("high/b.c"): '#include "low/a.h"\n', path("high/b.h"): ""}
    check_includes(layers, good)
    check_calls(layers, {path("high/b.c"): {path("low/a.c")}, path("low/a.c"): set()})
    assert not layers.wrong, layers.wrong
    check_includes(layers, {**good, path("low/a.c"): '#include "high/b.h"\n'})
    assert len(layers.wrong) == 1 and "low/a.c includes high/b.h" in layers.wrong[0]
    check_calls(layers, {path("low/a.c"): {path("high/b.c")}, path("high/b.c"): set()})
    assert len(layers.wrong) == 2 and "low/a.c calls" in layers.wrong[1]
    symbols = {path("low/a.c"): ({"f"}, {"g"}), path("low/b.c"): ({"g"}, {"f"})}
    check_calls(layers, calls_of(symbols))
    assert len(layers.wrong) == 3 and layers.wrong[2] == "a circle: low/a.c, low/b.c"


def main():
    self_test()
    if sys.argv[1:] == ["--self-test"]:
        return 0
    source, objects = map(pathlib.Path, sys.argv[1:3])
    nm = sys.argv[3] if len(sys.argv) > 3 else "nm"
    src, cl = Layers(SRC), Layers({**sorts_of(source / "cl"), **CL})
    files = read_tree(source / "src")
    check_includes(src, files)
    check_includes(cl, read_tree(source / "cl"))
    compiled = {objects / f"{file}.o": file for file in files if file.suffix == ".c"}
    compiled = {path: file for path, file in compiled.items() if path.exists()}
    if len(compiled) < 50:
        print(f"FAILED: there are only {len(compiled)} object files in {objects}")
        return 1
    check_calls(src, calls_of(read_symbols(compiled, nm)))
    for wrong in src.wrong + cl.wrong:
        print(f"FAILED: {wrong}")
    return 1 if src.wrong or cl.wrong else 0


def sorts_of(cl):
    """The rows of sorts that CL does not have."""
    rows = {}
    for folder in sorted(path for path in (cl / "sorts").rglob("*") if path.is_dir()):
        name = str(folder.relative_to(cl))
        rows[name] = "base group device"
    return rows

if __name__ == "__main__":
    sys.exit(main())
