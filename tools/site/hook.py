# SPDX-License-Identifier: LGPL-2.1-only
"""Functions that mkdocs calls while it builds the site (mkdocs.yml, `hooks`): generated pages, and links out of docs/.

For example, docs/library.md links to ../mpi_ext/mpix.h. On GitHub that opens the file. In the site it opens
source/mpi_ext/mpix.h.html, a page with the file's text that this module makes. A link to a missing file is an error.
"""
import logging
import os
import pathlib
import posixpath
import re
import sys

from mkdocs.structure.files import File

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.dont_write_bytecode = True
import pages  # pylint: disable=wrong-import-position

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
log = logging.getLogger("mkdocs.plugins.strata")  # with `strict`, warnings of mkdocs.* are errors

# Pages that are elsewhere in the site than in the repository.
PLACES = {"README.md": "index.md", "CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md"}
LANGUAGES = {".h": "cpp", ".cc": "cpp", ".c": "c", ".f90": "fortran", ".F90": "fortran", ".yaml": "yaml", ".yml": "yaml",
             ".json": "json", ".py": "python", ".sh": "bash", ".xsd": "xml", ".patch": "diff", ".xml": "xml"}
LINK = re.compile(r"(\]\(|^\[[^\]]+\]: )([^)\s#]*)(#[^)\s]*)?(?=\)|\s|$)", re.M)
# An indented block is code only after an empty line; otherwise it goes on with a list's paragraph.
CODE = re.compile(r"(^```.*?^```|(?<=\n\n)(?:    [^\n]*\n|\n(?=    ))+|`(?:[^`\n]|\n(?!\s*\n))+`)", re.M | re.S)

_generated = {}  # page of the site: the repository's file that it shows, or None


def place_of(target):
    """Returns the place of a repository's file or folder in the site; None if it does not exist."""
    path = ROOT / target
    if not path.exists():
        return None
    if target in PLACES:
        return PLACES[target]
    if path.is_dir():
        return place_of(target + "/README.md") or f"source/{target}/index.md"
    if target.startswith("docs/"):
        return target[len("docs/"):]
    return f"source/{target}" if target.endswith(".md") else f"source/{target}.md"


def links_of(text):
    """Returns the relative links of a Markdown text, except those in code."""
    for match in LINK.finditer(CODE.sub("", text)):
        if match[2] and not re.match(r"[a-z]+:|/", match[2]):
            yield match[2]


def for_python_markdown(text):
    """Adapts GitHub's Markdown to Python-Markdown: escapes as HTML, Markdown inside <details>, comments separated from
    tables."""
    text = re.sub(r"<details>(?=<summary>)", '<details markdown="1">\n', text)
    text = re.sub(r"^(<!--.*-->)\n(?=\|)", r"\1\n\n", text, flags=re.M)
    return re.sub(r"\\([<~&])", lambda m: {"<": "&lt;", "~": "~", "&": "&amp;"}[m[1]], text)


def relinked(text, source, page):
    """Returns the text of the repository's file `source` for the site's page `page`, with links to pages."""

    def replace(match):
        link = match[2]
        if not link or re.match(r"[a-z]+:|/", link):
            return match[0]
        target = posixpath.normpath(posixpath.join(posixpath.dirname(source), link))
        if target.startswith("docs/") and not (ROOT / target).is_dir():
            place = target[len("docs/"):]  # mkdocs itself reports missing files
        else:
            place = place_of(target)
        if place is None:
            log.warning("%s: the link %s leads to no file", source, link)
            return match[0]
        return match[1] + posixpath.relpath(place, posixpath.dirname(page) or ".") + (match[3] or "")

    parts = CODE.split(text)
    return "".join(part if i % 2 else LINK.sub(replace, for_python_markdown(part)) for i, part in enumerate(parts))


def source_page(target):
    """Returns the text of a page that shows a file or folder of the repository."""
    path = ROOT / target
    if path.is_dir():
        entries = sorted(e for e in path.iterdir() if not e.name.startswith("."))
        lines = "".join(f"- `{e.name}{'/' if e.is_dir() else ''}`\n" for e in entries)
        return f"# {target}/\n\nA folder of Strata's sources:\n\n{lines}"
    text = path.read_text(encoding="utf-8", errors="replace")
    fence = "`" * 6
    return f"# {path.name}\n\n`{target}` in Strata's sources.\n\n{fence}{LANGUAGES.get(path.suffix, 'text')}\n{text}\n{fence}\n"


def with_linked_sources(config, made):
    """Yields (page, source, text) of every file outside docs/ to which a page, or one of these pages, links."""
    docs = pathlib.Path(config["docs_dir"])
    waiting = [("docs/" + str(f.relative_to(docs)), f.read_text(encoding="utf-8")) for f in sorted(docs.rglob("*.md"))]
    waiting += [(source, text) for _, source, text in made]
    waiting += [(name, (ROOT / name).read_text(encoding="utf-8")) for name in PLACES if name != "README.md"]
    for name in PLACES:
        if name != "README.md":
            yield PLACES[name], name, (ROOT / name).read_text(encoding="utf-8")
    seen = set()
    while waiting:
        source, text = waiting.pop()
        for link in links_of(text):
            target = posixpath.normpath(posixpath.join(posixpath.dirname(source), link))
            place = place_of(target)
            if target.startswith("..") or place is None or not place.startswith("source/") or place in seen:
                continue
            seen.add(place)
            if (ROOT / target).is_dir() and (ROOT / target / "README.md").exists():
                target += "/README.md"
            if target.endswith(".md"):
                shown = (ROOT / target).read_text(encoding="utf-8")
                waiting.append((target, shown))
                yield place, target, shown
            else:
                yield place, None, source_page(target)


def on_config(config):
    """Expands the menus of generated pages: `reference/commands/` becomes a page for each command."""
    command = os.environ.get("STRATA") or str(ROOT / "bazel-bin/command/strata")
    if not os.access(command, os.X_OK):
        raise SystemExit("docs: the command is not built, whose help texts are pages; run ./strata docs")
    config["strata_pages"] = {
        "reference/commands/": pages.commands(command),
        "reference/documents/": pages.documents(ROOT / "schemas"),
        "": pages.functions(ROOT),
    }

    def filled(nav):
        if isinstance(nav, list):
            return [filled(item) for item in nav]
        if isinstance(nav, dict):
            return {title: filled(item) for title, item in nav.items()}
        if nav.endswith("/"):
            return [{title: nav + name} if title else nav + name for name, title, _ in config["strata_pages"][nav]]
        return nav

    config["nav"] = filled(config["nav"])
    return config


def on_files(files, config):
    folder = pathlib.Path(os.environ.get("STRATA_SITE_PAGES") or ROOT / ".strata" / "site-pages")
    made = [(place + name, "docs/" + place + name, text) for place, group in config["strata_pages"].items() for name, _, text in group]
    _generated.clear()
    for page, source, text in made + list(with_linked_sources(config, made)):
        out = folder / page
        out.parent.mkdir(parents=True, exist_ok=True)
        if not out.is_file() or out.read_text(encoding="utf-8") != text:
            out.write_text(text, encoding="utf-8")
        _generated[page] = source
        files.append(File(page, str(folder), config["site_dir"], config["use_directory_urls"]))
    return files


def on_nav(nav, config, files):
    known = {page.file.src_path for page in nav.pages}
    for file in files.documentation_pages():
        if file.src_path not in known and not file.src_path.startswith("source/"):
            log.warning("%s is in no menu of mkdocs.yml", file.src_path)
    return nav


def on_page_markdown(markdown, page, config, files):
    place = page.file.src_path
    source = _generated[place] if place in _generated else "docs/" + place
    return markdown if source is None else relinked(markdown, source, place)


def on_post_build(config):
    pages.without_sources(pathlib.Path(config["site_dir"]) / "search" / "search_index.json")
