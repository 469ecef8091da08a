"""The planted mistakes: NAME.patch, and the source file of mpi_ext that it changes."""

# Found by an area of the property checker.
IN_CORES = {
}

# Found by exploring a program of scenarios/protocols.
IN_PROTOCOLS = {
}
