#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only
"""Writes the mechanical parts of the Fortran modules from the table of functions.

    generate.py functions.txt FOLDER

writes into FOLDER

    bindings_of_functions.cc      a C function of integer handles and addresses for each function
    mpix_topology_c.inc           the interfaces of these functions for mpix.h
    mpix_topology_mpi.f90         the module with integer handles
    mpix_topology_f08.f90         the module with the derived types of mpi_f08
    mpix_topology.inc             the functions' names, public
    mpi_monitoring_c.inc          the interfaces of these functions for MPI_Monitoring.h
    mpi_monitoring_generic.inc    the names that have two forms
    mpi_monitoring.inc            the subroutines of the module mpi_monitoring

functions.txt describes the table. A mistake in the table is reported with its line.
"""

import os
import re
import sys
import textwrap

# MPI's handles: the type in C, the prefix of `_f2c` and `_c2f`, the null handle, the type in mpi_f08.
HANDLES = {
    "comm": ("MPI_Comm", "MPI_Comm", "MPI_COMM_NULL", "MPI_Comm"),
    "info": ("MPI_Info", "MPI_Info", "MPI_INFO_NULL", "MPI_Info"),
    "op": ("MPI_Op", "MPI_Op", "MPI_OP_NULL", "MPI_Op"),
    "type": ("MPI_Datatype", "MPI_Type", "MPI_DATATYPE_NULL", "MPI_Datatype"),
}

# Kinds that are the same in C and Fortran: the type in C, its name in iso_c_binding, and the type in Fortran.
NUMBERS = {
    "int": ("int", "integer(c_int)", "integer"),
    "request": ("MPIX_Request", "integer(c_int)", "integer"),
    "int64": ("std::int64_t", "integer(c_int64_t)", "integer(c_int64_t)"),
    "aint": ("MPI_Aint", "integer(c_intptr_t)", "integer(c_intptr_t)"),
}

KINDS = [*HANDLES, *NUMBERS, "logical", "hierarchy", "string", "buffer", "numbers"]

FORTRAN_COLUMNS = 116


class TableError(Exception):
    """A mistake in the table."""


class Argument:
    """An argument of a function: its kind, intent, name and shape."""

    PATTERN = re.compile(r"(optional )?(?:(out|inout) )?([a-z0-9]+) ([a-z]\w*)(\[(\w*|:)\])?")

    def __init__(self, text):
        match = self.PATTERN.fullmatch(text)
        if not match:
            raise TableError(f"'{text}' is not '[optional] [out|inout] KIND NAME', with [] after it for an array")
        optional, intent, self.kind, self.name, array, self.extent = match.groups()
        self.optional = optional is not None
        self.intent = intent or "in"
        self.array = array is not None
        self.handle = self.kind in HANDLES
        if self.kind not in KINDS:
            raise TableError(f"'{text}' has an unknown kind '{self.kind}'; the kinds are {', '.join(KINDS)}")
        if self.kind in ("string", "buffer", "numbers", "hierarchy") and self.array:
            raise TableError(f"'{text}': there are no arrays of kind '{self.kind}'")
        if self.array and not self.extent and (self.handle or self.kind == "logical"):
            raise TableError(f"'{text}' is converted, so it needs a number of elements: '{self.name}[n]'")
        if self.kind == "string" and self.intent == "inout":
            raise TableError(f"'{text}': a string is 'in' or 'out'")
        if self.kind == "numbers" and self.intent != "inout":
            raise TableError(f"'{text}': numbers are 'inout'")
        can_be_optional = self.kind in NUMBERS or self.intent == "out" and (self.handle or self.kind == "string")
        if self.optional and (self.intent == "in" or not can_be_optional):
            raise TableError(f"'{text}': only numbers that are 'out' or 'inout', and strings and MPI handles that are "
                             "'out', can be optional")

    @property
    def value(self):
        """Whether it is passed to C by value."""
        return self.intent == "in" and not self.array

    # ---- The C function between Fortran and mpix.h ----

    def c_parameter(self):
        """Its declaration in C++."""
        const = "const " if self.intent == "in" else ""
        if self.kind == "buffer":
            return f"void* {self.name}"
        if self.kind == "numbers":
            return f"unsigned long* {self.name}"
        if self.kind == "string":
            return f"const char* {self.name}" if self.intent == "in" else f"char* {self.name}, int {self.name}_length"
        if self.handle:
            c_type = "MPI_Fint"
        elif self.kind == "hierarchy":
            c_type = "MPIX_Hierarchy"
        elif self.kind == "logical":
            c_type = "int"
        else:
            c_type = NUMBERS[self.kind][0]
        return f"{c_type} {self.name}" if self.value else f"{const}{c_type}* {self.name}"

    def c_binding(self):
        """How it is passed to mpix.h: statements before the call, expression in the call, statements after it."""
        name, there = self.name, self.name + "_there"
        if self.handle:
            return self._c_handle()
        if self.kind == "string" and self.intent == "out":
            return [f"Text {there};"], there, [f"assign({name}, {name}_length, {there}.text);"]
        if self.kind == "int64" and self.array:
            return [], f"Longs{{{name}}}", []
        if self.kind == "int64" and not self.value:
            return [f"Long {there}{{{self._initial()}}};"], there, [self._if_wanted(f"*{name} = {there}.value;")]
        if self.array or self.value or self.kind in ("buffer", "numbers", "string"):
            return [], name, []
        if self.optional:  # a number
            c_type = NUMBERS[self.kind][0]
            return [f"{c_type} {there} = {self._initial()};"], f"&{there}", [self._if_wanted(f"*{name} = {there};")]
        null = "MPIX_HIERARCHY_NULL" if self.kind == "hierarchy" else "0"
        return [f"*{name} = {null};"] if self.intent == "out" else [], name, []

    def _c_handle(self):
        name, there = self.name, self.name + "_there"
        c_type, function, null, _ = HANDLES[self.kind]
        if self.value:
            return [], f"{function}_f2c({name})", []
        if not self.array:
            initial = null if self.intent == "out" else f"{function}_f2c(*{name})"
            return [f"{c_type} {there} = {initial};"], f"&{there}", [
                self._if_wanted(f"*{name} = {function}_c2f({there});")]
        before = [f"std::vector<{c_type}> {there}(elements({self.extent}), {null});"]
        every = f"for (size_t i = 0; i < {there}.size(); ++i)"
        if self.intent != "out":
            before.append(f"{every} {there}[i] = {function}_f2c({name}[i]);")
        after = [] if self.intent == "in" else [self._if_wanted(f"{every} {name}[i] = {function}_c2f({there}[i]);")]
        return before, f"{name} == nullptr ? nullptr : {there}.data()" if self.optional else f"{there}.data()", after

    def _initial(self):
        """The value that C finds in a copy."""
        if self.intent == "out":
            return "0"
        return f"{self.name} == nullptr ? 0 : *{self.name}" if self.optional else f"*{self.name}"

    def _if_wanted(self, statement):
        return f"if ({self.name} != nullptr) {statement}" if self.optional else statement

    # ---- That C function's interface in Fortran ----

    def interface(self):
        """Its declarations in the interface of the C function, and the names that the interface imports."""
        if self.kind in ("buffer", "numbers"):
            return [f"type(c_ptr), value :: {self.name}"], ["c_ptr"]
        if self.handle and self.array:  # integers or derived types that hold one
            return [f"type(*){', optional' if self.optional else ''} :: {self.name}(*)"], []
        attributes = ["value"] if self.value and self.kind != "string" else [f"intent({self.intent})"]
        attributes += ["optional"] if self.optional else []
        shape = "(*)" if self.array or self.kind == "string" else ""
        if self.kind == "string":
            fortran_type, imports = "character(kind=c_char)", ["c_char"]
        elif self.kind == "hierarchy":
            fortran_type, imports = "type(c_ptr)", ["c_ptr"]
        else:
            fortran_type = NUMBERS[self.kind][1] if self.kind in NUMBERS else "integer(c_int)"
            imports = [fortran_type[len("integer("):-1]]
        declarations = [f"{fortran_type}, {', '.join(attributes)} :: {self.name}{shape}"]
        if self.kind == "string" and self.intent == "out":
            declarations.append(f"integer(c_int), value :: {self.name}_length")
        return declarations, imports

    def interface_names(self):
        """Its names among the arguments of the C function."""
        return [self.name, self.name + "_length"] if self.kind == "string" and self.intent == "out" else [self.name]

    # ---- The subroutine for users ----

    def declaration(self, f08, asynchronous):
        """Its declaration in the subroutine."""
        if self.kind == "buffer":
            kept = ", asynchronous" if asynchronous else ""
            return [f"!GCC$ ATTRIBUTES NO_ARG_CHECK :: {self.name}", f"type(*), dimension(*){kept} :: {self.name}"]
        intent = f"intent({self.intent})" + (", optional" if self.optional else "")
        if self.kind == "numbers":
            return [f"integer(c_int64_t), {intent}, target :: {self.name}(*)"]
        if self.handle and f08:
            fortran_type = f"type({HANDLES[self.kind][3]})"
        elif self.kind == "hierarchy":
            fortran_type = "type(MPIX_Hierarchy)"
        elif self.kind == "string":
            fortran_type = "character(len=*)"
        elif self.kind == "logical":
            fortran_type = "logical"
        else:
            fortran_type = NUMBERS[self.kind][2] if self.kind in NUMBERS else "integer"
        # With mpi_f08, an array with one handle per neighbour passes its own number of elements.
        assumed_shape = self.extent == ":" or self.extent == "neighbours" and f08
        shape = "" if not self.array else "(:)" if assumed_shape else "(*)"
        return [f"{fortran_type}, {intent} :: {self.name}{shape}"]

    def call(self, f08):
        """How the subroutine passes it to C: local declarations, statements before, actual arguments, statements after."""
        name, there = self.name, self.name + "_there"
        section = f"{name}(1:{self.extent})" if self.array and self.extent not in (":", "") else name
        if self.kind == "buffer":
            return [], [], [f"choice({name})"], []
        if self.kind == "numbers":
            return [], [], [f"wanted({name})"], []
        if self.kind == "hierarchy":
            return [], [], [f"{name}%MPIX_VAL"], []
        if self.kind == "string" and self.intent == "in":
            return [], [], [f"trim({name}) // c_null_char"], []
        if self.kind == "string":
            length = f"{name}_length"
            if not self.optional:
                return [], [], [name, f"len({name})"], []
            return ([f"integer :: {length}"], [f"{length} = 0", f"if (present({name})) {length} = len({name})"],
                    [name, length], [])
        if self.kind == "logical" and self.intent == "in":
            return [], [], [f"merge(1, 0, {section})"], []
        if self.kind == "logical" and self.array:  # -1: C did not set it
            return ([f"integer :: {there}(max(0, {self.extent}))"], [f"{there} = -1"], [there],
                    [f"where ({there} >= 0) {section} = {there} /= 0"])
        if self.kind == "logical":
            before = [] if self.intent == "out" else [f"{there} = merge(1, 0, {name})"]
            return [f"integer :: {there}"], before, [there], [f"{name} = {there} /= 0"]
        if self.handle and f08 and not self.array:
            if self.optional:
                return ([f"integer :: {there}"], [], [there], [f"if (present({name})) {name}%MPI_VAL = {there}"])
            return [], [], [f"{name}%MPI_VAL"], []
        return [], [], [name], []


class Function:
    """A line of the table."""

    PATTERN = re.compile(r"((MPIX|MPI_M)_(\w+))\((.*)\)")

    def __init__(self, text):
        match = self.PATTERN.fullmatch(text)
        if not match:
            raise TableError(f"'{text}' is not 'MPIX_Name(ARGUMENT, ...)' or 'MPI_M_name(ARGUMENT, ...)'")
        self.name, prefix, rest, arguments = match.groups()
        self.monitoring = prefix == "MPI_M"
        self.c_name = "mpix_fortran_" + ("m_" if self.monitoring else "") + rest.lower()
        self.arguments = [Argument(argument) for argument in re.split(r",\s*", arguments) if argument]
        self.asynchronous = any(argument.kind == "request" for argument in self.arguments)
        self.has_f08_form = any(argument.handle for argument in self.arguments)
        names = [argument.name for argument in self.arguments]
        for argument in self.arguments:
            if argument.extent and argument.extent not in (":", "neighbours", *names):
                raise TableError(f"{self.name}: no argument gives the number '{argument.extent}' of elements of "
                                 f"'{argument.name}'")
            if argument.extent == ":" and argument.handle:
                raise TableError(f"{self.name}: C does not know how many elements '{argument.name}' has")
            if argument.kind == "string" and argument.optional and argument.name + "_length" in names:
                raise TableError(f"{self.name}: '{argument.name}_length' is taken by the length of '{argument.name}'")

    def binding(self):
        """The C function, in C++."""
        bound = [argument.c_binding() for argument in self.arguments]
        before = [statement for statements, _, _ in bound for statement in statements]
        if any(argument.extent == "neighbours" for argument in self.arguments):
            before = ["int neighbours = 0;",
                      "if (const int error = neighbours_of(MPI_Comm_f2c(comm), &neighbours)) return error;"] + before
        after = [statement for _, _, statements in bound for statement in statements]
        parameters = ", ".join(argument.c_parameter() for argument in self.arguments)
        called = f"{self.name}({', '.join(expression for _, expression, _ in bound)})"
        result = [f"const int error = {called};", *after, "return error;"] if after else [f"return {called};"]
        body = "\n".join("  " + statement for statement in before + result)
        return f"int {self.c_name}({parameters}) {{\n{body}\n}}\n"

    def interface(self):
        """The interface of the C function, in Fortran."""
        names = [name for argument in self.arguments for name in argument.interface_names()]
        declared = [argument.interface() for argument in self.arguments]
        imports = sorted({"c_int", *(name for _, names in declared for name in names)})
        return fortran(
            4, f"integer(c_int) function {self.c_name}({', '.join(names)}) bind(C)",
            *("  " + line for line in [f"import :: {', '.join(imports)}",
                                       *(line for lines, _ in declared for line in lines)]),
            f"end function {self.c_name}")

    def subroutine(self, name, f08):
        """The subroutine for users, with the handles of the module mpi or of mpi_f08."""
        called = [argument.call(f08) for argument in self.arguments]
        lines = [line for argument in self.arguments for line in argument.declaration(f08, self.asynchronous)]
        lines += ["integer, intent(out), optional :: ierror", "integer :: error"]
        lines += [line for locals_, _, _, _ in called for line in locals_]
        lines += [line for _, before, _, _ in called for line in before]
        actual = ", ".join(expression for _, _, expressions, _ in called for expression in expressions)
        lines += [f"error = {self.c_name}({actual})"]
        lines += [line for _, _, _, after in called for line in after]
        lines += ["if (present(ierror)) ierror = error"]
        dummies = ", ".join([argument.name for argument in self.arguments] + ["ierror"])
        return fortran(2, f"subroutine {name}({dummies})", *("  " + line for line in lines), f"end subroutine {name}")


def fortran(indent, *lines):
    """Lines of Fortran; those that are too long are continued."""
    out = []
    for line in lines:
        margin = " " * (indent + len(line) - len(line.lstrip()))
        # Lines can end only after a comma, because only commas are followed by blanks.
        parts = textwrap.wrap(line.lstrip(), FORTRAN_COLUMNS - len(margin), break_long_words=False,
                              break_on_hyphens=False)
        out += [margin + ("  " if i else "") + part + (" &" if i + 1 < len(parts) else "")
                for i, part in enumerate(parts)]
    return "\n".join(out) + "\n"


def generic(name, *procedures):
    """The generic interface of a function."""
    return fortran(2, f"interface {name}", *(f"  module procedure {procedure}" for procedure in procedures),
                   f"end interface {name}")


def without_smpi(text):
    """Text to omit for SMPI, which has no module mpi_f08."""
    return f"#ifndef MPIX_SMPI\n{text}#endif\n"


def module(about, used, functions, form):
    """A module of mpix.h's functions with one kind of handles: `form` is mpi or f08. It extends the module `used`."""
    name = "mpix_topology_" + form
    interfaces = "".join(generic(f.name, f"{f.name}_{form}") for f in functions)
    subroutines = "\n".join(f.subroutine(f"{f.name}_{form}", form == "f08") for f in functions)
    foreign = {
        "use, intrinsic :: iso_c_binding": ["c_int64_t", "c_intptr_t", "c_null_char"],
        "use mpi_f08": ["MPI_Comm", "MPI_Datatype", "MPI_Info", "MPI_Op"],
    }
    private = []
    uses = []
    for use, names in foreign.items():
        here = [name for name in names if re.search(rf"\b{name}\b", subroutines)]
        uses += [f"{use}, only: {', '.join(here)}"] if here else []
        private += here
    return (f"! {about} Made by generate.py.\n"
            f"module {name}\n{fortran(2, *uses, 'use ' + used)}"
            f"  implicit none\n  public\n{fortran(2, 'private :: ' + ', '.join(private))}\n"
            f"{interfaces}\ncontains\n\n{subroutines}\nend module {name}\n")


def monitoring_subroutines(functions):
    """The subroutines of mpi_monitoring, with both forms if there are two."""
    for f in functions:
        yield f.subroutine(f.name + "_mpi" if f.has_f08_form else f.name, False)
        if f.has_f08_form:
            yield without_smpi(f.subroutine(f.name + "_f08", True))


def files(functions):
    """The generated texts by file name."""
    topology = [f for f in functions if not f.monitoring]
    monitoring = [f for f in functions if f.monitoring]
    yield "bindings_of_functions.cc", (
        "// Made by generate.py.\n#include \"mpi_ext/fortran/bindings.h\"\n\nextern \"C\" {\n\n" +
        "\n".join(f.binding() for f in functions) + "\n}  // extern \"C\"\n")
    yield "mpix_topology_c.inc", "\n".join(f.interface() for f in topology)
    yield "mpix_topology_mpi.f90", module(
        "The functions of mpix.h with handles that are integers, as the module mpi has them.", "mpix_topology_c",
        topology, "mpi")
    yield "mpix_topology_f08.f90", module(
        "The functions of mpix.h with handles that are derived types, as mpi_f08 has them.", "mpix_topology_mpi",
        [f for f in topology if f.has_f08_form], "f08")
    yield "mpix_topology.inc", "".join(fortran(2, f"public :: {f.name}") for f in topology)
    yield "mpi_monitoring_c.inc", "\n".join(f.interface() for f in monitoring)
    yield "mpi_monitoring_generic.inc", "".join(
        [fortran(2, f"public :: {f.name}") for f in monitoring] +
        [generic(f.name, f.name + "_mpi") + without_smpi(generic(f.name, f.name + "_f08"))
         for f in monitoring if f.has_f08_form])
    yield "mpi_monitoring.inc", "\n".join(monitoring_subroutines(monitoring))


def functions_of(path):
    """Reads the table. A function may continue in indented lines."""
    rows = []
    with open(path, encoding="utf-8") as table:
        for number, line in enumerate(table, 1):
            line = line.rstrip()
            if not line or line.startswith("#"):
                continue
            if line.startswith(" ") and rows:
                rows[-1][1] += " " + line.strip()
            else:
                rows.append([number, line])
    functions = []
    for number, row in rows:
        try:
            functions.append(Function(row))
        except TableError as error:
            sys.exit(f"{path}:{number}: {error}")
    return functions


def main():
    """Writes the files described at the top."""
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    for name, text in files(functions_of(sys.argv[1])):
        with open(os.path.join(sys.argv[2], name), "w", encoding="utf-8") as out:
            out.write(text)


if __name__ == "__main__":
    main()
