/* Strata's topology-aware MPI extensions: the communicator hierarchy of RR-9077 and broadcasts over it.
 *
 * All functions return an MPI error class. Errors go through the communicator's error handler, as MPI's own do. Unless
 * a function says otherwise it is collective over its communicator and follows MPI's rules for threads: two threads may
 * call at once on different communicators under MPI_THREAD_MULTIPLE.
 *
 * Where a process runs is learned from hwloc and its real binding (a real MPI), or from the file that the environment
 * variable STRATA_PLACEMENT names: a described machine and each rank's binding (SMPI, or a test that pretends). */
#ifndef STRATA_MPI_EXT_MPIX_H
#define STRATA_MPI_EXT_MPIX_H

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A value for split_type that is none of MPI's own (RR-9077, Section 3.2.1). */
#define MPIX_COMM_TYPE_PHYSICAL_TOPOLOGY 9077

/* RR-9077, Section 3.2. With MPIX_COMM_TYPE_PHYSICAL_TOPOLOGY: one new communicator per child of the deepest object
 * that covers the bindings of all members; a process whose binding fits in no child gets MPI_COMM_NULL. The new
 * communicator is a strict subset of `comm`. Ranks are ordered by `key`, then by rank in `comm`. With
 * MPI_COMM_TYPE_SHARED: the processes of a node. A process that passes MPI_UNDEFINED takes part (its binding counts for
 * what covers all members), is in no new communicator and gets MPI_COMM_NULL. Any other split_type is
 * MPI_Comm_split_type's. Errors: MPI_ERR_COMM (null or intercommunicator), MPI_ERR_ARG (null pointer; on all processes
 * where two pass different split_types), MPI_ERR_OTHER (on all processes where one's place is not known: the placement
 * file is wrong; one line on its stderr says how). */
int MPIX_Comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm* newcomm);

/* RR-9077, Section 3.2.3. The same split, keyed by the rank in `comm`, and the communicator of the roots: rank 0 of
 * each new communicator, in the order of their ranks in `comm`. `rootscomm` is MPI_COMM_NULL for all others. */
int MPIX_Comm_hsplit_with_roots(MPI_Comm comm, MPI_Info info, MPI_Comm* newcomm, MPI_Comm* rootscomm);

/* RR-9077, Section 3.3.1. Of a communicator that one of the two functions above made (not MPI's own split_types, but
 * MPI_COMM_TYPE_SHARED, whose siblings are the nodes): how many siblings it has, itself included; its index among them,
 * in the order of the tree, from 0; and the name of the deepest object that covers its members' bindings. Local. `type`
 * points to a constant string, valid until the program ends; do not free it. Null pointers are skipped. Errors:
 * MPI_ERR_COMM (null), MPI_ERR_ARG where neither function made `comm` (nor a communicator that it is a dup of). */
int MPIX_Comm_get_hlevel_info(MPI_Comm comm, int* num_comms, int* index, char** type);

/* RR-9077, Section 3.3.2. The name of the deepest object that covers the bindings of the listed ranks of `comm`:
 * hwloc's within a node, the switch level or "System - Cluster" across nodes, "Unknown" where the caller is not listed.
 * Collective over `comm`; each process gives a list of its own. `type` as above. Errors: MPI_ERR_RANK, MPI_ERR_ARG (on
 * the process whose list is wrong; the others get their answer), MPI_ERR_OTHER as above. */
int MPIX_Comm_get_min_hlevel(MPI_Comm comm, int nranks, const int* ranks, char** type);

/* The algorithms of MPIX_Bcast; their shapes are Open MPI's. */
#define MPIX_BCAST_LINEAR 0
#define MPIX_BCAST_BINOMIAL 1

/* A broadcast over point-to-point messages, on a context of its own. Semantics of MPI_Bcast. Error: MPI_ERR_ARG on an
 * unknown algorithm, and MPI_Bcast's own. */
int MPIX_Bcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm, int algorithm);

/* All levels below a communicator: what repeated MPIX_Comm_hsplit_with_roots gives, kept by the library. */
typedef struct MPIX_Hierarchy_s* MPIX_Hierarchy;
#define MPIX_HIERARCHY_NULL ((MPIX_Hierarchy)0)

/* Splits `comm` level by level until nothing is left. The hierarchy keeps the error handler that `comm` has then. On an
 * error `hierarchy` is MPIX_HIERARCHY_NULL and nothing is left behind. */
int MPIX_Hierarchy_create(MPI_Comm comm, MPI_Info info, MPIX_Hierarchy* hierarchy);
/* Frees the communicators and sets the handle to MPIX_HIERARCHY_NULL. */
int MPIX_Hierarchy_free(MPIX_Hierarchy* hierarchy);
/* How many levels the calling process is in. Local. */
int MPIX_Hierarchy_depth(MPIX_Hierarchy hierarchy, int* depth);

/* RR-9077, Section 7.2: the loop over the levels of the hierarchy that calls one algorithm on each roots communicator.
 * `root` is a rank of the communicator that the hierarchy was made of. Semantics of MPI_Bcast. */
int MPIX_Hierarchy_bcast(void* buffer, int count, MPI_Datatype datatype, int root, MPIX_Hierarchy hierarchy,
                         int algorithm);

#ifdef __cplusplus
}
#endif
#endif
