# SPDX-License-Identifier: LGPL-2.1-only
"""Pages of the site that are generated from the sources: help texts, JSON Schemas, and the headers of the library.

Each function returns a list of pages: (name, title in the menu or None, Markdown).
"""
import json
import re
import subprocess

COLUMN = 30  # CLI11 starts descriptions in this column, or on the next line


def cell(text):
    text = text.replace("\\", "\\\\").replace("<", "&lt;").replace("\n", " ")
    return re.sub(r"([|*])", r"\\\1", text)


# ---- Commands, from --help ----

def option(words):
    """Splits `-n,--np INT:INT in [1 - 9] Needs: --xml` into (`-n, --np INT`, the restrictions of its value)."""
    match = re.match(r"(?P<names>\S+)(?: (?P<type>(?!Needs:|Excludes:).*?))?(?: Needs: (?P<needs>.*?))?"
                     r"(?: Excludes: (?P<excludes>.*))?$", words)
    kind, notes = match["type"] or "", []
    more = kind.endswith(" ...")
    kind = kind[:-4] if more else kind
    kind, _, range_ = kind.partition(":")
    if found := re.match(r"\w+ in \[(\S+) - (\S+)\]", range_):
        notes.append(f"from {found[1]} to {found[2]}" if float(found[2]) < 1e6 else f"at least {found[1]}")
    elif range_.startswith("{"):
        notes.append("one of " + ", ".join(f"`{value}`" for value in re.split(",", range_.strip("{}"))))
    elif range_ == "POSITIVE":
        notes.append("more than 0")
    elif range_ == "NONNEGATIVE":
        notes.append("at least 0")
    if more:
        notes.append("several are possible")
    for verb in ("needs", "excludes"):
        if match[verb]:
            notes.append({"needs": "needs ", "excludes": "not with "}[verb] + ", ".join(f"`{o}`" for o in match[verb].split()))
    return " ".join([", ".join(match["names"].split(",")), kind]).strip(), notes


def items(lines):
    """Returns the (name, description) pairs of a section such as `Options:`."""
    found, i = [], 0
    while i < len(lines):
        name = lines[i][2:]
        if i + 1 < len(lines) and lines[i + 1].startswith(" " * COLUMN):
            text = []
            while i + 1 < len(lines) and lines[i + 1].startswith(" " * COLUMN):
                i += 1
                text.append(lines[i].strip())
            found.append((name, " ".join(text)))
        elif len(lines[i]) > COLUMN and lines[i][COLUMN - 1] == " ":
            found.append((lines[i][2:COLUMN].strip(), lines[i][COLUMN:].strip()))
        else:
            found.append((name.strip(), ""))
        i += 1
    return found


def help_page(command, words, level):
    """Returns the Markdown of a command and of its subcommands."""
    run = subprocess.run([command, *words, "--help"], capture_output=True, text=True, check=False)
    if run.returncode:
        raise SystemExit(f"docs: strata {' '.join(words)} --help failed: {run.stderr.strip()}")
    lines = run.stdout.rstrip("\n").split("\n")
    name, out, i = " ".join(["strata", *words]), [], 0
    mark = "#" * level
    out.append(f"{mark} {name}\n")
    below = []
    prose = []
    while i < len(lines):
        line = lines[i]
        if line.startswith("Usage: "):
            out += [" ".join(prose).strip() + ".\n" if prose and level > 1 else "\n".join(prose).strip() + "\n", f"    {line[7:]}\n"]
            prose = []
        elif line in ("Options:", "Positionals:", "Subcommands:", "Examples:"):
            section = []
            while i + 1 < len(lines) and (lines[i + 1].startswith("  ") or
                                          (lines[i + 1] == "" and line == "Examples:" and i + 2 < len(lines) and lines[i + 2].startswith("  "))):
                i += 1
                section.append(lines[i])
            if prose:
                out.append("\n".join(cell(p) for p in prose).strip() + "\n")
                prose = []
            if line == "Examples:":
                out.append("```sh\n" + "\n".join(l[2:] for l in section) + "\n```\n")
            elif line == "Subcommands:":
                below = [n.split()[0] for n, _ in items(section)]
                rows = "".join(f"| `{name} {n}` | {cell(text)} |\n" for n, text in items(section))
                out.append("| command | what it does |\n| --- | --- |\n" + rows)
            else:
                rows = ""
                for words_, text in items(section):
                    shown, notes = option(words_) if line == "Options:" else (words_.rsplit(" ", 1)[0], [])
                    notes_text = f" ({'; '.join(notes)})" if notes else ""
                    rows += f"| `{cell(shown)}` | {cell(text)}{notes_text} |\n"
                out.append(f"| {'option' if line == 'Options:' else 'argument'} | meaning |\n| --- | --- |\n{rows}")
        else:
            prose.append(line)
        i += 1
    if prose:
        out.append("\n".join(cell(p) for p in prose).strip() + "\n")
    text = "\n".join(out)
    if level == 1:
        for word in below:
            text += "\n" + help_page(command, [*words, word], 2)
    return text


def commands(command):
    top = json.loads(subprocess.run([command, "--help-json"], capture_output=True, text=True, check=True).stdout)
    summary = {c["name"]: c["about"] for c in top["commands"]}
    names = list(summary)
    rows = "".join(f"| [`strata {n}`]({n}.md) | {cell(summary[n])} |\n" for n in names)
    index = ("# Every command\n\nHere you find each command's options, as `strata COMMAND --help` prints them. "
             "[Commands at a glance](../../commands.md) has examples of all of them, and the exit codes.\n\n"
             f"| command | what it does |\n| --- | --- |\n{rows}")
    return [("index.md", None, index)] + [(f"{n}.md", n, help_page(command, [n], 1)) for n in names]


# ---- Documents, from JSON Schemas ----

def kind_of(schema):
    """Describes a value in words: `text`, `list of numbers`, or a link to a definition."""
    if "$ref" in schema:
        name = schema["$ref"]
        if name.startswith("#"):
            name = name.rsplit("/", 1)[-1]
            return f"[{name}](#{name.lower()})"
        return f"see [{name.split('.schema')[0]}]({name.split('.schema')[0]}.md)"
    if "const" in schema:
        return f"`{json.dumps(schema['const'])}`"
    if "enum" in schema:
        return " or ".join(f"`{json.dumps(v)}`" for v in schema["enum"])
    for key in ("oneOf", "anyOf"):
        if key in schema and not schema.get("properties"):
            return " or ".join(dict.fromkeys(kind_of(s) for s in schema[key]))
    kinds = schema.get("type", "value")
    if isinstance(kinds, list):
        return " or ".join(kind_of({**schema, "type": k}) for k in kinds)
    if kinds == "array":
        inner = schema.get("items", {})
        return "list of " + (kind_of(inner) if isinstance(inner, dict) else "values")
    return {"string": "text", "integer": "whole number", "boolean": "true or false"}.get(kinds, kinds)


def rows_of(schema, path, rows):
    required = schema.get("required", [])
    for key, value in schema.get("properties", {}).items():
        name = path + key
        note = cell(value.get("description", ""))
        rows.append(f"| `{name}` | {kind_of(value)} | {'yes' if key in required else ''} | {note} |\n")
        inner, mark = value, "."
        while inner.get("type") == "array" and isinstance(inner.get("items"), dict):
            inner, mark = inner["items"], "[]" + mark
        if inner.get("properties"):
            rows_of(inner, name + mark, rows)
    extra = schema.get("additionalProperties")
    if isinstance(extra, dict):
        rows.append(f"| `{path}NAME` | {kind_of(extra)} |  | {cell(extra.get('description', 'any name'))} |\n")
        if extra.get("properties"):
            rows_of(extra, path + "NAME.", rows)


def table_of(schema):
    rows = []
    rows_of(schema, "", rows)
    for variant in schema.get("oneOf", []) + schema.get("anyOf", []):
        if variant.get("properties"):
            rows_of(variant, "", rows)
        elif "$ref" in variant:
            rows.append(f"| | {kind_of(variant)} | | one of these |\n")
    if not rows:
        return f"{kind_of(schema)}\n"
    return "| key | value | required | meaning |\n| --- | --- | --- | --- |\n" + "".join(rows)


def documents(folder):
    found, listed = [], ""
    for file in sorted(folder.glob("*.schema.json")):
        schema = json.loads(file.read_text(encoding="utf-8"))
        name, title = file.name[:-len(".schema.json")], schema["title"]
        if name in ("scenario", "machine"):
            continue  # these have their own pages
        text = f"# {name}\n\n{cell(schema.get('description', ''))}\n\nJSON Schema: [{file.name}](../../../schemas/{file.name}) ({title.split(':')[0]}).\n\n"
        text += table_of(schema)
        for word, definition in {**schema.get("definitions", {}), **schema.get("$defs", {})}.items():
            text += f"\n## {word}\n\n{cell(definition.get('description', ''))}\n\n" + table_of(definition)
        listed += f"| [{name}]({name}.md) | {cell(title.split(': ', 1)[-1])} |\n"
        found.append((name + ".md", name, text))
    index = ("# Documents and records\n\nHere you find every key of the JSON documents that commands print with `--json`, and of the files in "
             "a results folder. Each document names its schema: `{\"schema\":\"strata.hsplit/1\", ...}`. "
             "[schemas](../../../schemas/README.md) has the JSON Schemas, for validators.\n\n"
             "A results folder of `strata run` has a [record](record.md) per measured value in `records.jsonl`, a line each, and a "
             f"[manifest](manifest.md).\n\n| document | what it is |\n| --- | --- |\n{listed}")
    return [("index.md", None, index)] + found


# ---- Functions, from the headers ----

TOKEN = re.compile(r"(?P<define>#define (?P<macro>\w+)(?P<value>[^\n/]*)(?:/\*(?P<what>.*?)\*/)?[^\n]*\n)|/\*(?P<comment>.*?)\*/|"
                   r"(?P<code>\b(?:typedef|int|double|const|void|extern)\b[^;{]*;)|[^\n]*\n", re.S)


def prose_of(comment):
    """Converts a comment to Markdown: paragraphs, lists, and examples or drawings where all lines are indented."""
    lines = [re.sub(r"^ \* ?", "", line).rstrip() for line in comment.strip().split("\n")]
    paragraphs = [p.split("\n") for p in re.split(r"\n{2,}", "\n".join(lines)) if p.strip()]
    out = []
    for paragraph in paragraphs:
        indents = [len(line) - len(line.lstrip()) for line in paragraph]
        if min(indents) >= 2:
            cut = min(indents)
            out.append("```c\n" + "\n".join(line[cut:] for line in paragraph) + "\n```")
        elif paragraph[0].endswith(":") and len(paragraph) > 1 and indents[1] >= 2:
            out.append(marked(paragraph[0]))
            for line, indent in zip(paragraph[1:], indents[1:]):
                if indent == indents[1]:
                    name, _, rest = line.strip().partition("   ")
                    out.append("- " + marked(f"{name}: {rest.strip()}" if rest else name))
                elif indent == 0 and not out[-1].startswith("\n"):
                    out.append("\n" + marked(line))
                else:
                    out[-1] += " " + marked(line.strip())
        else:
            hanging = any(indents)
            text = ""
            for line, indent in zip(paragraph, indents):
                text += ("\n- " if hanging and indent == 0 else " ") + line.strip()
            out.append(marked(text.strip()))
    return re.sub(r"(?m)(^- .*)\n\n(?=- )", r"\1\n", "\n\n".join(out))


def marked(text):
    text = text.replace("<", "&lt;").replace("*", "\\*")
    return re.sub(r"(?<![`\w\"])((?:MPIX?|STRATA)_\w+(?:\\\*)?)(?![\w`])", lambda m: "`" + m[1].replace("\\", "") + "`", text)


def fortran(table):
    """Returns how Fortran calls each function of mpi_ext/fortran/functions.txt."""
    text = re.sub(r"^#.*\n", "", table, flags=re.M)
    calls = {}
    for match in re.finditer(r"(\w+)\(([^)]*)\)", text):
        arguments = [re.sub(r"[\[:].*", "", a.split()[-1]) for a in re.sub(r"\s+", " ", match[2]).split(",") if a.strip()]
        calls[match[1]] = f"call {match[1]}({', '.join(arguments + ['ierror'])})"
    return calls


def header_page(text, title, opening, calls):
    body = re.sub(r"[ \t]*\\\n[ \t]*", " ", text[text.index('extern "C" {'):])
    escaped = "\\|"  # inside a table cell
    out, pending, constants = [f"# {title}\n\n{opening}\n"], None, []

    def flush_constants():
        if constants:
            out.append("| constant | value | meaning |\n| --- | --- | --- |\n" +
                       "".join(f"| `{n}` | {'`' + v + '`' if v else ''} | {marked(w).replace('|', escaped)} |\n" for n, v, w in constants))
            constants.clear()

    def flush_pending():
        nonlocal pending
        if pending:
            out.append(prose_of(pending) + "\n")
            pending = None

    for match in TOKEN.finditer(body):
        if match["comment"] is not None:
            flush_constants()
            flush_pending()
            section = re.fullmatch(r"\s*---- (.*) ----\s*", match["comment"])
            if section:
                out.append(f"## {section[1]}\n")
            else:
                pending = match["comment"]
        elif match["define"]:
            flush_pending()
            what = re.sub(r"\s*\n[ *]*", " ", match["what"] or "").strip()
            constants.append((match["macro"], match["value"].strip(), what))
        elif match["code"]:
            flush_constants()
            name = re.search(r"(\w+)\(", match["code"])
            if name and not match["code"].startswith("typedef"):
                out.append(f"### {name[1]}\n")
                shown = f"```c\n{match['code']}\n```\n"
                if name[1] in calls:
                    shown += f"\n```fortran\n{calls[name[1]]}\n```\n"
                out.append(shown)
            else:
                out.append(f"```c\n{match['code']}\n```\n")
            flush_pending()
    flush_constants()
    flush_pending()
    return "\n".join(out)


def functions(root):
    """Returns the pages of mpix.h and MPI_Monitoring.h."""
    calls = fortran((root / "mpi_ext/fortran/functions.txt").read_text(encoding="utf-8"))
    mpix = (root / "mpi_ext/mpix.h").read_text(encoding="utf-8")
    monitoring = (root / "mpi_ext/MPI_Monitoring.h").read_text(encoding="utf-8")
    first = "Here you find every function of `mpix.h` in C and in Fortran, its arguments and its errors. [The library](../library.md) says how to build with it.\n\n"
    second = "Here you find every function of `MPI_Monitoring.h` in C and in Fortran. [Monitoring](../monitoring.md) explains sessions with examples.\n\n"
    return [("reference/functions.md", None, header_page(mpix, "Functions in C and Fortran", first + prose_of(head(mpix)), calls)),
            ("reference/monitoring-functions.md", None,
             header_page(monitoring, "Monitoring functions", second + prose_of(head(monitoring)), calls))]


def head(text):
    """Returns the comment at the top of a header."""
    return re.search(r"/\*(.*?)\*/", text, re.S)[1]


# ---- Search ----

def without_sources(index):
    """Removes the pages that show sources from the search index: their words would hide the documentation."""
    if index.is_file():
        data = json.loads(index.read_text(encoding="utf-8"))
        data["docs"] = [d for d in data["docs"] if not d["location"].startswith("source/")]
        index.write_text(json.dumps(data, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")
