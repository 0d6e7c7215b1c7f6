#!/usr/bin/env python3
"""plant.py TREE MUTANT: plants a fault in a copy of the sources; prints the files that it changed.
plant.py --check TREE MUTANT...: changes nothing; names the mutants that do not match one place, and
the entries of tests/mutants/barriers whose comment has gone, and runs that lack a program or file.

A mutant's first lines say what is wrong and which runs find it (see check/parts/mutants.sh). Then
follows, once or more:

    In: NAME
    - text in the definition
    + its replacement

NAME is a function, macro, table or type: a definition that begins in the first column and has NAME
in its head. It may be in any file below cl, src, include and tools. Where the text has white space,
any white space matches. So a mutant stays valid when code is moved or formatted. Exactly one place
must match; otherwise the script says why and exits with 1. Several lines of "-" or "+" form one
text. A text without "+" is deleted.
"""
import functools
import pathlib
import re
import sys

FOLDERS = ("cl", "src", "include", "tools")
SUFFIXES = {".c", ".h", ".cl"}


class Misplaced(Exception):
    """A mutant that cannot be planted, and why."""


@functools.cache
def definitions(text):
    """(begin, end, head) of each definition: a macro, or text between two unindented lines."""
    return tuple(each_definition(text))


def each_definition(text):
    begin = None
    offset = 0
    macro = False
    for line in text.splitlines(keepends=True):
        end = offset + len(line)
        if macro or (begin is None and line.startswith("#define ")):
            if not macro:
                begin, macro = offset, True
            if not line.rstrip("\n").endswith("\\"):
                yield begin, end, text[begin:end].split(None, 2)[1]
                begin, macro = None, False
        elif line.startswith("#"):
            pass  # A condition inside a definition, or between two.
        elif begin is None and line[:1].strip() and not line.startswith(("/*", "*", "}")):
            begin = offset
        if begin is not None and not macro and not line.startswith("#"):
            if line.startswith("}") or (line.rstrip().endswith(";") and "{" not in text[begin:end]):
                yield begin, end, text[begin:end].split("{", 1)[0]
                begin = None
        offset = end


def pattern(text):
    """Matches the text with any white space, including a macro's ends of lines."""
    words = (re.escape(word) for word in text.split())
    return re.compile(r"(?:\s|\\\n)+".join(words))


def read_mutant(path):
    """[(name, old, new)] of a mutant."""
    places = []
    for line in path.read_text().splitlines():
        if line.startswith("In: "):
            places.append((line[4:].strip(), [], []))
        elif places and line[:1] in "-+" and line:
            places[-1][1 if line[0] == "-" else 2].append(line[1:].strip())
    if not places or not all(old for _, old, _ in places):
        raise Misplaced("it names no definition, or one without a text")
    return [(name, "\n".join(old), "\n".join(new)) for name, old, new in places]


def sources(tree):
    for folder in FOLDERS:
        for path in sorted((tree / folder).rglob("*")):
            if path.suffix in SUFFIXES:
                yield path


def find(tree, name, old):
    """Each (path, begin, end, in a macro) where a definition of this name contains the text."""
    word = re.compile(rf"\b{re.escape(name)}\b")
    wanted = pattern(old)
    for path in sources(tree):
        text = path.read_text()
        if name in text:
            for begin, end, head in definitions(text):
                if word.search(head):
                    for match in wanted.finditer(text, begin, end):
                        yield path, match.start(), match.end(), text.startswith("#", begin)


def only_place(tree, name, old):
    places = list(find(tree, name, old))
    if len(places) != 1:
        where = ", ".join(str(path.relative_to(tree)) for path, *_ in places) or "none"
        raise Misplaced(f"{len(places)} places, not one, in definitions of {name} ({where}): {old}")
    return places[0]


def plant(tree, name, old, new):
    path, begin, end, in_macro = only_place(tree, name, old)
    text = path.read_text()
    if in_macro:
        new = new.replace("\n", " \\\n")
    path.write_text(text[:begin] + new + text[end:])
    return path.relative_to(tree)


def lost_barriers(tree):
    """Each entry "FILE: COMMENT" of tests/mutants/barriers that matches no barrier's comment."""
    for line in (tree / "tests/mutants/barriers").read_text().splitlines():
        if line and line[0] not in "# ":
            file, comment = line.split(": ", 1)
            if f"); /* {comment} */" not in (tree / file).read_text():
                yield line


def lost_runs(tree, mutant):
    """Each line "Kill:" of a mutant that names no test program, no test of CTest or a lost file."""
    lines = mutant.read_text().splitlines()
    kills = [line.split()[1:] for line in lines if line.startswith("Kill:")]
    for *words, name in kills or [["", "no run"]]:
        of_ctest = words[:1] == ["ctest"]
        pattern, text = ("CMakeLists.txt", f"({name} ") if of_ctest else (f"{name}.c", "")
        found = any(text in path.read_text() for path in (tree / "tests").rglob(pattern))
        files = [word.split("=")[1] for word in words if "=tests/" in word]
        if not found or not all((tree / file).is_file() for file in files):
            yield " ".join([*words, name])


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--check"]
    is_check = "--check" in sys.argv
    tree, *mutants = map(pathlib.Path, arguments)
    misplaced = 0
    for entry in lost_barriers(tree) if is_check else ():
        misplaced += 1
        print(f"tests/mutants/barriers: no barrier has this comment: {entry}", file=sys.stderr)
    for mutant in mutants:
        try:
            places = read_mutant(mutant)
            for name, old, _ in places:  # checks all places before it changes any
                only_place(tree, name, old)
        except Misplaced as error:
            misplaced += 1
            print(f"{mutant}: {error}", file=sys.stderr)
            continue
        for run in lost_runs(tree, mutant) if is_check else ():
            misplaced += 1
            print(f"{mutant}: there is no such test: {run}", file=sys.stderr)
        if not is_check:
            for path in dict.fromkeys(plant(tree, *place) for place in places):
                print(path)
    sys.exit(1 if misplaced else 0)


if __name__ == "__main__":
    main()
