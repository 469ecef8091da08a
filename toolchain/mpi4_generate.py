# SPDX-License-Identifier: LGPL-2.1-only
"""Makes the declarations and definitions of functions.txt.

    mpi4_generate.py mpi4_functions.txt strata_mpi4.h mpi4_functions.inc
"""

import re
import sys

LINE = re.compile(r"(own|large|lasting|refuse) int (MPI_\w+)\((.*)\)$")
HEADER = "/* Made by toolchain/mpi4_generate.py from mpi4_functions.txt. */\n"


class Parameter:
    def __init__(self, text):
        match = re.match(r"(.*?)(\w+)((?:\[\w*\])?)$", text.strip())
        self.type, self.name, self.length = match[1].strip(), match[2], match[3].strip("[]")
        self.is_array = bool(match[3])

    def declared(self):
        return "%s%s%s%s" % (self.type, "" if self.type.endswith("*") else " ", self.name, "[]" if self.is_array else "")


def parameters_of(text):
    return [] if text == "void" else [Parameter(p) for p in text.split(",")]


def large(name, parameters, lasts):
    """Calls the function of the same name without _c."""
    before, arguments, after = [], [], []
    # MPI_Aint in the function without _c too.
    wide = {"MPI_Type_create_hvector_c": {"stride"}, "MPI_Type_create_resized_c": {"lb", "extent"}}.get(name, set())
    # The beginnings of the names of parameters that are significant only at the root.
    rooted = re.match("MPI_I?(gather|scatter)v?_c$", name, re.I)
    at_root = {"gather": ("recv", "displs"), "scatter": ("send", "displs")}[rooted[1].lower()] if rooted else ()
    if rooted:
        before.append("const int at_root = is_rank(root, comm);")
    if any(p.length == "size" for p in parameters):
        before.append("int size = 0;")
        before.append("PMPI_Comm_size(comm, &size);")
    for p in parameters:
        if p.is_array and p.type in ("const MPI_Count", "const MPI_Aint"):
            convert = "counts_of" if p.type == "const MPI_Count" else "displacements_of"
            where = "at_root ? %s : NULL" % p.name if p.name.startswith(at_root) else p.name
            before.append('int* const %s_ = %s(%s, %s, "%s");' % (p.name, convert, where, p.length, name))
            arguments.append(p.name + "_")
            after.append("free(%s_);" % p.name)
        elif p.type == "MPI_Count" and p.name not in wide:
            where = "at_root ? %s : 0" % p.name if p.name.startswith(at_root) else p.name
            arguments.append('count_of(%s, "%s")' % (where, name))
        else:
            arguments.append(p.name)
    call = "%s(%s)" % (name[: -len("_c")], ", ".join(arguments))
    lines = before + (["const int code = %s;" % call] + ([] if lasts else after) + ["return code;"])
    return "".join("  %s\n" % line for line in lines)


def main(table, header, definitions):
    functions = []
    with open(table) as lines:
        for number, line in enumerate(lines, 1):
            line = line.strip()
            if not line or line.startswith("#"):
                continue
            match = LINE.match(line)
            if not match:
                sys.exit("%s:%d: is not a function; write for example \"refuse int MPI_X(int count)\"" % (table, number))
            functions.append((match[1], match[2], parameters_of(match[3])))
    with open(header, "w") as out:
        out.write(HEADER)
        for _, name, parameters in functions:
            declared = ", ".join(p.declared() for p in parameters) or "void"
            for prefix in ("", "P"):
                out.write("int %s%s(%s);\n" % (prefix, name, declared))
    with open(definitions, "w") as out:
        out.write(HEADER)
        for kind, name, parameters in functions:
            declared = ", ".join(p.declared() for p in parameters) or "void"
            names = ", ".join(p.name for p in parameters)
            if kind == "refuse":
                out.write("int P%s(%s) {\n%s  refuse(\"%s\");\n}\n" %
                          (name, declared, "".join("  (void)%s;\n" % p.name for p in parameters), name))
                out.write("const char strata_refuses_%s = 0;\n" % name)
            elif kind != "own":
                out.write("int P%s(%s) {\n%s}\n" % (name, declared, large(name, parameters, kind == "lasting")))
            out.write("int %s(%s) { return P%s(%s); }\n" % (name, declared, name, names))


main(*sys.argv[1:])
