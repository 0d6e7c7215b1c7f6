#!/usr/bin/env python3
"""pages.py SOURCE FOLDER: the documents of SOURCE as Doxygen's pages, into FOLDER.
pages.py --check HTML: a link of the pages in HTML that leads nowhere is an error.

A document's name is its page's, and README.md the landing page. Links between documents lead to
pages, those to headers to the reference, those to examples and pictures to copies. Other files are
not in the site: of their links the text is left.
"""
import html
import pathlib
import posixpath
import re
import sys

PAGES = ("README.md", "BENCHMARKS.md", "docs/guide.md", "docs/choosing.md", "docs/faq.md",
         "docs/packages.md", "docs/limits.md", "docs/drivers.md", "docs/host.md",
         "docs/comparison.md", "docs/tuning.md")


def page_of(path):
    """The name of a document's page."""
    name = pathlib.PurePath(path).stem.lower()
    return "index" if name == "readme" else name


def slug(page, heading):
    """The anchor of a heading, as GitHub makes it, behind its page's name."""
    words = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
    return f"{page}-{words}"


def target(path, link):
    """Where a link of the document leads to in the site, or None."""
    file, _, anchor = link.partition("#")
    if "://" in link:
        return link
    file = posixpath.normpath(posixpath.join(posixpath.dirname(path), file)) if file else path
    name = posixpath.basename(file)
    if file in PAGES:
        page = page_of(file)
        return f"{page}.html" + (f"#{slug(page, anchor)}" if anchor else "")
    if file.startswith("include/"):
        return name.replace("_", "__").replace(".", "_8") + ".html"
    if file.startswith("tests/examples/") or name.endswith(".svg"):
        return name
    return None


def make_page(path, text):
    """The document as Doxygen reads it."""
    page = page_of(path)

    def link(match):
        to = target(path, match[3])
        if match[1]:
            return f'<img src="{to}" alt="{match[2]}"/>'
        return f"[{match[2]}]({to})" if to else match[2]

    def heading(match):
        if len(match[1]) == 1:
            return f"# {match[2]} {{#mainpage}}" if page == "index" else \
                f"# {match[2]} {{#{page}}}\n\n[TOC]"
        return f"{match[1]} {match[2]} {{#{slug(page, match[2])}}}"

    text = re.sub(r"(?m)^#+ .*$", lambda m: m[0].replace("`", ""), text)
    lines, is_code = [], False
    for line in text.splitlines():
        if line.startswith("```"):
            is_code = not is_code
            line = re.sub("```(console|sh)", "```", line)
        elif not is_code and not line.startswith("    "):
            line = re.sub(r"^(#+) (.*)$", heading, line)
            line = re.sub(r' src="([^"]*)"', lambda m: f' src="{target(path, m[1])}"', line)
        lines.append(line)
    text = "\n".join(lines) + "\n"
    return re.sub(r"(!?)\[([^\]\n]*(?:\n[^\]\n]+)?)\]\(([^)\s]+)\)", link, text)


def make_pages(source, folder):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for path in PAGES:
        text = make_page(path, (pathlib.Path(source) / path).read_text())
        (folder / f"{page_of(path)}.md").write_text(text)


def check_links(folder):
    """Ends with a list of links that lead to no file, or to no anchor of one."""
    texts = {path.name: path.read_text(errors="replace") for path in folder.glob("*.html")}
    wrong = set()
    for name, own in texts.items():
        for link in re.findall(r'(?:href|src)="([^"]*)"', own):
            file, _, anchor = html.unescape(link).partition("#")
            if "://" in link or file.startswith("javascript:"):
                continue
            text = texts.get(file or name, "")
            if not (folder / (file or name)).exists() or \
                    (anchor and f'id="{anchor}"' not in text and f'name="{anchor}"' not in text):
                wrong.add(f"{name}: {link}")
    if wrong:
        sys.exit("These links lead nowhere:\n" + "\n".join(sorted(wrong)))


if __name__ == "__main__":
    if sys.argv[1] == "--check":
        check_links(pathlib.Path(sys.argv[2]))
    else:
        make_pages(*sys.argv[1:])
