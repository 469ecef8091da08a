#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only
"""Make man pages and shell completion from the commands' own help.

    strata --help-json >strata.json
    strata check --help-json >check.json
    pages.py --version 0.7.0 --out DIR strata.json check.json

writes, below DIR, man/man1/strata.1 and man/man1/strata-COMMAND.1, bash-completion/completions/strata and
zsh/site-functions/_strata. This program does not contain the names of strata's commands and options. It only knows how
arguments for machines and scenarios are called, for which completion lists the catalogs that are installed beside it.
"""

import argparse
import json
import pathlib
import re

# The catalogs: folder below share/strata, and names of the options and arguments that take one of its entries.
CATALOGS = {"machines": re.compile(r"--machine$|MACHINE"), "scenarios": re.compile(r"SCENARIO")}


def merged(documents):
    """The first document, with commands that have only --help there as the other documents describe them."""
    first, *others = documents
    full = {command["name"]: command for other in others for command in other["commands"]}
    return {**first, "commands": [c if len(c["options"]) > 1 else full.get(c["name"], c) for c in first["commands"]]}


def walk(command, path=()):
    """A command and all subcommands, each with its path: the words after the first that start it."""
    yield path, command
    for sub in command["commands"]:
        yield from walk(sub, (*path, sub["name"]))


def catalog_of(option):
    return next((catalog for catalog, names in CATALOGS.items() if any(map(names.search, option["names"]))), None)


# ---- man pages


def roff(text):
    """Text with all of roff's special characters escaped."""
    text = text.replace("\\", r"\e").replace("-", r"\-").replace("'", r"\(aq").replace("^", r"\(ha").replace("~", r"\(ti")
    text = text.replace("`", r"\(ga")
    return re.sub(r"^\.", r"\\&.", text, flags=re.MULTILINE)


def usage_of(option):
    """An option as it is typed: "-n, --np INT"."""
    value = "|".join(option["choices"]) or option["value"]
    if option["positional"]:
        return rf"\fI{roff(option['names'][0])}\fR" + (" ..." if option["repeated"] else "")
    names = ", ".join(rf"\fB{roff(name)}\fR" for name in option["names"])
    return names + (rf" \fI{roff(value)}\fR" if value else "") + (" ..." if option["repeated"] else "")


def definitions(entries):
    return "".join(f".TP\n{term}\n{roff(about)}\n" for term, about in entries)


def synopsis_of(path, command):
    words = [rf"\fB{roff(' '.join(('strata', *path)))}\fR"]
    if any(not option["positional"] for option in command["options"]):
        words.append(r"[\fIOPTIONS\fR]")
    for option in command["options"]:
        if option["positional"]:
            words.append(usage_of(option) if option["required"] else f"[{usage_of(option)}]")
    if command["commands"]:
        words.append(r"\fICOMMAND\fR" if not path else r"[\fICOMMAND\fR]")
    return " ".join(words)


def man_page(path, command, version):
    name = "-".join(("strata", *path))
    about = command["about"].split("\n\n")
    text = f'.\\" Made from strata --help-json.\n.TH {roff(name.upper())} 1 "" "Strata {version}" "User Commands"\n'
    text += f".SH NAME\n{roff(name)} \\- {roff(about[0].rstrip('.').replace(chr(10), ' '))}\n"
    text += f".SH SYNOPSIS\n{synopsis_of(path, command)}\n"
    for part in about[1:]:
        text += f".SH DESCRIPTION\n.nf\n{roff(part)}\n.fi\n"
    for title, positional in (("ARGUMENTS", True), ("OPTIONS", False)):
        entries = [(usage_of(o), o["about"]) for o in command["options"] if o["positional"] == positional]
        if entries:
            text += f".SH {title}\n{definitions(entries)}"
    if command["commands"]:
        entries = [(rf"\fB{roff(sub['name'])}\fR", sub["about"]) for sub in command["commands"]]
        text += f".SH COMMANDS\n{definitions(entries)}"
    if command["footer"]:
        text += f".SH NOTES AND EXAMPLES\n.nf\n{roff(command['footer'].strip())}\n.fi\n"
    others = ["-".join(("strata", *path[:-1]))] if path else []
    others += ["-".join(("strata", *path, sub["name"])) for sub in command["commands"]]
    if others:
        text += ".SH SEE ALSO\n" + ",\n".join(rf"\fB{roff(other)}\fR(1)" for other in others) + "\n"
    return name, text


# ---- completion


def quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"


def values_of(option):
    """Values of an option to propose: its words, or a catalog such as "@machines", or both."""
    catalog = catalog_of(option)
    return ([f"@{catalog}"] if catalog else []) + (option["choices"] or option["suggested"])


BASH = r"""
# The names in a catalog: the folders of machines, or the files of scenarios, which are installed beside this file.
_strata_catalog() {
  local data
  data=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/../../strata
  case $1 in
    machines) find "$data/machines/" -mindepth 1 -maxdepth 1 -type d -printf '%f\n' 2>/dev/null ;;
    scenarios) find "$data/scenarios/" -name '*.yaml' -printf '%P\n' 2>/dev/null | sed 's/\.yaml$//' ;;
  esac
}

_strata() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command=strata word words i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; ++i)); do
    word=${COMP_WORDS[i]}
    [ "$word" != -- ] || return 0  # a program and its arguments are files
    if [[ " ${_strata_commands[$command]-} " == *" $word "* ]]; then command+=" $word"; fi
  done
  if [ "$current" = '=' ]; then
    current=
  elif [ "$previous" = '=' ]; then  # bash splits --option=value into three words
    previous=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  case $previous in
    -*) words=${_strata_values[$command $previous]--} ;;
    *) words=- ;;
  esac
  if [ "$words" = - ]; then  # the previous word is not an option with a value
    case $current in
      -*) words=${_strata_options[$command]-} ;;
      *) words="${_strata_commands[$command]-} ${_strata_arguments[$command]-}" ;;
    esac
  fi
  for word in $words; do
    case $word in
      @*) mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -W "$(_strata_catalog "${word#@}")" -- "$current") ;;
      *) [[ $word != "$current"* ]] || COMPREPLY+=("$word") ;;
    esac
  done
}
complete -o bashdefault -o default -F _strata strata
"""


def bash_completion(help_document):
    tables = {name: [] for name in ("commands", "options", "arguments", "values")}

    def add(table, key, words):
        if words:
            tables[table].append(f"  [{quoted(key)}]={quoted(' '.join(words))}")

    for path, command in walk(help_document):
        key = " ".join(("strata", *path))
        add("commands", key, [sub["name"] for sub in command["commands"]])
        add("options", key, [name for o in command["options"] if not o["positional"] for name in o["names"]])
        add("arguments", key, [word for o in command["options"] if o["positional"] for word in values_of(o)])
        for option in command["options"]:
            if option["positional"] or option["value"] is None:
                continue
            for name in option["names"]:  # without known values, completes files
                tables["values"].append(f"  [{quoted(f'{key} {name}')}]={quoted(' '.join(values_of(option)))}")
    text = "# bash completion for strata. Made from strata --help-json.\n"
    for name, lines in tables.items():
        text += f"declare -gA _strata_{name}=(\n" + "\n".join(lines) + "\n)\n"
    return text + BASH


ZSH = r"""
# The names in a catalog: the folders of machines, or the files of scenarios, which are installed beside this file.
_strata_catalog() {
  local data=${_strata_file:A:h}/../../strata
  local -a names
  case $1 in
    machines) names=($data/machines/*(/N:t)) ;;
    scenarios) names=($data/scenarios/**/*.yaml(N)); names=(${${names#$data/scenarios/}%.yaml}) ;;
  esac
  compadd -a names
  _files
}

_strata "$@"
"""


def zsh_words(text):
    """Text for the brackets in a specification of _arguments."""
    return re.sub(r"([\[\]:\\])", r"\\\1", text.replace("\n", " "))


def zsh_action(option):
    catalog = catalog_of(option)
    if catalog:
        return f" _strata_catalog {catalog}"  # the leading blank keeps zsh from inserting its own arguments
    words = option["choices"] or option["suggested"]
    return f"({' '.join(words)})" if words else "_files"


def zsh_specifications(command):
    for option in command["options"]:
        if option["positional"]:
            repeated = "*" if option["repeated"] else "" if option["required"] else ":"
            yield f"{repeated}:{zsh_words(option['names'][0])}:{zsh_action(option)}"
            continue
        value = f":{zsh_words(option['value'])}:{zsh_action(option)}" if option["value"] is not None else ""
        for name in option["names"]:
            others = "" if option["repeated"] else "(" + " ".join(option["names"]) + ")"
            yield f"{others}{'*' if option['repeated'] else ''}{name}[{zsh_words(option['about'])}]{value}"


def zsh_completion(help_document):
    text = "#compdef strata\n# zsh completion for strata. Made from strata --help-json.\n"
    text += "_strata_file=${(%):-%x}\n"
    for path, command in walk(help_document):
        name = "_".join(("_strata", *path)).replace("-", "_")
        text += f"\n{name}() {{\n  local curcontext=$curcontext state line\n"
        specifications = list(zsh_specifications(command))
        positional = [option for option in command["options"] if option["positional"]]
        if command["commands"]:  # the first argument is one of them, or the command's own
            specifications = [s for s in specifications if s[0] not in "*:" or s.startswith("*-")]
            specifications += ["1:command:->command", "*::arguments:->arguments"]
        text += "  _arguments -C \\\n" + " \\\n".join(f"    {quoted(s)}" for s in specifications or ["*:file:_files"]) + "\n"
        if command["commands"]:
            listed = " ".join(quoted(f"{sub['name']}:{sub['about'].replace(':', chr(92) + ':')}") for sub in command["commands"])
            cases = " ".join(f"{sub['name']}) {name}_{sub['name'].replace('-', '_')} ;;" for sub in command["commands"])
            text += f"  local -a commands=({listed})\n"
            own = "".join("; " + zsh_action(option).strip() for option in positional if not option["choices"])
            text += f"  case $state in\n    command) _describe command commands{own} ;;\n"
            text += f"    arguments) case $line[1] in {cases} *) _files ;; esac ;;\n  esac\n"
        text += "}\n"
    return text + ZSH


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--version", required=True)
    parser.add_argument("--out", required=True, type=pathlib.Path)
    parser.add_argument("documents", nargs="+", type=pathlib.Path)
    options = parser.parse_args()
    help_document = merged([json.loads(path.read_text(encoding="utf-8")) for path in options.documents])

    def write(name, text):
        path = options.out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    for path, command in walk(help_document):
        name, text = man_page(path, command, options.version)
        write(f"man/man1/{name}.1", text)
    write("bash-completion/completions/strata", bash_completion(help_document))
    write("zsh/site-functions/_strata", zsh_completion(help_document))


if __name__ == "__main__":
    main()
