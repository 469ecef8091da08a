// SPDX-License-Identifier: LGPL-2.1-only
/* Strata's topology-aware MPI extensions: the communicator hierarchy of RR-9077, MPI 4's splits by hardware resource,
 * collectives over both, and Cartesian communicators that keep neighbours on one node.
 *
 * All functions return MPI_SUCCESS or an error code, whose class (MPI_Error_class) is named below. Like MPI's own
 * functions, they call the communicator's error handler on an error; if the communicator or the hierarchy is null,
 * they call that of MPI_COMM_WORLD. (In MPICH, an error of MPI_Wait inside a collective goes to the handler of
 * MPI_COMM_WORLD.) Functions are collective over their communicator unless their description says otherwise. MPI's
 * rules for threads apply: under MPI_THREAD_MULTIPLE, two threads may call at once on different communicators or
 * hierarchies.
 *
 * The library finds out where a process runs from hwloc and the process's real binding (under a real MPI), or from
 * the file that the environment variable STRATA_PLACEMENT names, which describes a machine and each rank's binding
 * (used by `strata run` and by tests). Under SMPI without that file, each host of the simulated platform is a node,
 * and the inside of the node is unknown. */
#ifndef STRATA_MPI_EXT_MPIX_H
#define STRATA_MPI_EXT_MPIX_H

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Splitting along the topology ---- */

/* Values for split_type in addition to MPI's own. */
#define MPIX_COMM_TYPE_PHYSICAL_TOPOLOGY 9077 /* RR-9077, Section 3.2.1 */
#define MPIX_COMM_TYPE_HW_UNGUIDED 9078       /* MPI 4.0, Section 7.4.2 */
#define MPIX_COMM_TYPE_HW_GUIDED 9079         /* MPI 4.0, Section 7.4.2 */
#define MPIX_COMM_TYPE_RESOURCE_GUIDED 9080   /* MPI 4.1, Section 7.4.2 */

/* Splits a communicator along the machine's topology (RR-9077, Section 3.2). The value of split_type selects how:
 *
 * MPIX_COMM_TYPE_PHYSICAL_TOPOLOGY: find the deepest object that covers the bindings of all members; each of its
 *   children becomes a new communicator. A process whose binding fits in no child gets MPI_COMM_NULL. The new
 *   communicator is a strict subset of `comm`. The info key "mpix_hlevel" splits straight to a level: its value is a
 *   name as returned by MPIX_Comm_get_hlevel_info ("Package"), or a number n (the new communicator is that of n splits
 *   in a row). Each process gets its communicator of that level, or MPI_COMM_NULL if it has none.
 * MPIX_COMM_TYPE_HW_UNGUIDED: the same. In addition, if `info` is not MPI_INFO_NULL, its key "mpi_hw_resource_type" is
 *   set to the name of the new communicator's level, on the processes that have one.
 * MPIX_COMM_TYPE_HW_GUIDED: splits by the info key "mpi_hw_resource_type": the name of an object type ("Package", "L3",
 *   "NUMANode", "Machine", or a network level; upper or lower case), or "mpi_shared_memory", which means
 *   MPI_COMM_TYPE_SHARED. All processes whose binding lies within one instance of that type form a communicator. A
 *   process that is within no instance gets MPI_COMM_NULL. All processes get MPI_COMM_NULL if the key is missing or its
 *   value unknown. The new communicator may hold all members of `comm`.
 * MPIX_COMM_TYPE_RESOURCE_GUIDED: the same, but the value may also be a URI as returned by MPIX_Get_hw_resource_info
 *   ("hwloc://L3"). Alternatively, splits by the key "mpi_pset_name" with the value "mpi://WORLD" or "mpi://SELF".
 *   Giving both keys is MPI_ERR_INFO.
 * MPI_COMM_TYPE_SHARED: the processes of a node.
 * MPI_UNDEFINED: the process takes part (its binding counts when the covering object is determined), but is in no new
 *   communicator and gets MPI_COMM_NULL.
 * Other values are passed to MPI_Comm_split_type.
 *
 * Ranks are ordered by `key`, then by rank in `comm`. Errors: MPI_ERR_COMM (null or intercommunicator); MPI_ERR_ARG
 * (null pointer; on all processes if two pass different split_types); MPI_ERR_INFO (on all processes if two pass
 * different values for a key that guides the split, or one passes a value of "mpix_hlevel" that is neither a name
 * nor a number above 0); MPI_ERR_OTHER (on all processes if the place of one is unknown because the placement file
 * is wrong; that process prints the reason as one line on stderr). */
int MPIX_Comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm* newcomm);

/* RR-9077, Section 3.2.3. Splits `comm` along the topology, with ranks ordered as in `comm`, and also creates the
 * communicator of the roots: rank 0 of each new communicator, in the order of their ranks in `comm`. On all other
 * processes `rootscomm` is MPI_COMM_NULL. Info key "mpix_hlevel" and errors: as for MPIX_Comm_split_type. */
int MPIX_Comm_hsplit_with_roots(MPI_Comm comm, MPI_Info info, MPI_Comm* newcomm, MPI_Comm* rootscomm);

/* RR-9077, Section 3.4. Makes all levels at once, outermost first, as repeated calls of MPIX_Comm_hsplit_with_roots
 * would. `depth` is the number of levels that the calling process is in; it may differ among processes. The arrays
 * have `max_depth` elements, and only that number of levels is made, even if `depth` is larger; elements from depth
 * on are MPI_COMM_NULL. rootscomms[i] is the communicator of the roots among the siblings of newcomms[i]; if
 * `rootscomms` is null, no communicators of roots are made. With max_depth 0 only the depth is computed, and the
 * arrays may be null. Errors: as for MPIX_Comm_split_type, and MPI_ERR_ARG on all processes if max_depth is negative
 * on one, or if two processes differ in max_depth or in whether rootscomms is null. */
int MPIX_Comm_hsplit_all(MPI_Comm comm, MPI_Info info, int max_depth, MPI_Comm newcomms[], MPI_Comm rootscomms[],
                         int* depth);

/* RR-9077, Section 3.3.1. Describes a communicator that one of the functions above returned as `newcomm`, or that is
 * a level of a hierarchy along the topology (of MPI's own split_types only MPI_COMM_TYPE_SHARED, whose siblings are
 * the nodes). `num_comms` is the number of its siblings, including itself; `index` is its index among them, in the
 * order of the tree, from 0; `type` is the name of the deepest object that covers its members' bindings. Local.
 * `type` points to a constant string, which is valid until the program ends; do not free it. Null pointers are
 * skipped. Errors: MPI_ERR_COMM (null), MPI_ERR_ARG for any other communicator, except a dup of one described above. */
int MPIX_Comm_get_hlevel_info(MPI_Comm comm, int* num_comms, int* index, char** type);

/* RR-9077, Section 3.3.2. The name of the deepest object that covers the bindings of the listed ranks of `comm`:
 * hwloc's name within a node, the switch level or "System - Cluster" across nodes, "Unknown" if the caller is not
 * listed. Collective over `comm`; each process passes its own list. `type` as above. Errors: MPI_ERR_RANK,
 * MPI_ERR_ARG (on the process whose list is wrong; the others get their answer), MPI_ERR_OTHER as above. */
int MPIX_Comm_get_min_hlevel(MPI_Comm comm, int nranks, const int* ranks, char** type);

/* MPI 4.1, Section 9.1.2 (MPI_Get_hw_resource_info). Creates an info object with a key for each hardware resource
 * type of the calling process's machine. The key is a URI ("hwloc://L3", or "strata://Switch" for a network level);
 * the value is "true" if the process is restricted to one instance of that type, otherwise "false". Local. Free the
 * object with MPI_Info_free. Errors, through the handler of MPI_COMM_SELF: MPI_ERR_ARG (null pointer), MPI_ERR_OTHER
 * as above. */
int MPIX_Get_hw_resource_info(MPI_Info* hw_info);

/* ---- Collectives ---- */

/* Algorithms, with names and shapes as in Open MPI 2.0.1 (ompi/mca/coll/base). On p processes, a tree of depth d
 * takes about (d + s - 1) steps for a message cut into s segments. */
#define MPIX_ALGORITHM_LINEAR 0             /* between the root and every other rank */
#define MPIX_ALGORITHM_CHAIN 1              /* MPIX_CHAIN_FANOUT chains that hang from the root */
#define MPIX_ALGORITHM_PIPELINE 2           /* one chain */
#define MPIX_ALGORITHM_SPLIT_BINARY 3       /* half of the message down each side of a binary tree, then exchanged */
#define MPIX_ALGORITHM_BINARY 4             /* a complete binary tree */
#define MPIX_ALGORITHM_BINOMIAL 5           /* a binomial tree */
#define MPIX_ALGORITHM_IN_ORDER_BINARY 6    /* a binary tree that keeps the order of the ranks */
#define MPIX_ALGORITHM_RING 7               /* each to its right neighbour, p - 1 times */
#define MPIX_ALGORITHM_RECURSIVE_DOUBLING 8 /* partners at distance 1, 2, 4, ... */

/* Open MPI's coll_tuned_init_chain_fanout. */
#define MPIX_CHAIN_FANOUT 4

/* These functions send point-to-point messages on a context of their own. Semantics are those of the MPI function of
 * the same name: any root, datatype, count, and MPI_IN_PLACE. `segment_bytes` cuts a message into segments of as
 * many whole elements as fit (at least one); 0 does not cut (Open MPI's default for a forced algorithm). Linear and
 * recursive doubling never cut, nor do messages between the root and the rank that stands in for it. `algorithm` and
 * `segment_bytes` must be the same on all processes. If a message is cut, or halved (split binary), the number and
 * the size of its elements must also be the same, although MPI_Bcast would let them differ. An operation that does
 * not commute is applied in rank order by every algorithm: trees that do not keep that order (chain, pipeline,
 * binary, binomial) are then replaced by the in-order binary tree. Errors: MPI_ERR_ARG for an algorithm that the
 * function does not have or a negative segment size, and those of MPI's own function. As in MPI, only the process
 * whose arguments are wrong finds the error. */

/* linear, chain, pipeline, split-binary, binary, binomial */
int MPIX_Bcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm, int algorithm,
               int segment_bytes);
/* linear, chain, pipeline, binary, binomial, in-order binary */
int MPIX_Reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,
                MPI_Comm comm, int algorithm, int segment_bytes);
/* a reduce to rank 0 followed by a broadcast, with linear, chain, pipeline, binary or binomial; or recursive
 * doubling */
int MPIX_Allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                   int algorithm, int segment_bytes);
/* linear, binomial */
int MPIX_Gather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                MPI_Datatype recvtype, int root, MPI_Comm comm, int algorithm);
/* linear, binomial */
int MPIX_Scatter(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                 MPI_Datatype recvtype, int root, MPI_Comm comm, int algorithm);
/* a gather to rank 0 followed by a broadcast, with linear or binomial; or ring */
int MPIX_Allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                   MPI_Datatype recvtype, MPI_Comm comm, int algorithm);
/* a reduce and a broadcast of empty messages, with linear or binomial; or recursive doubling */
int MPIX_Barrier(MPI_Comm comm, int algorithm);

/* ---- The hierarchy as a whole ---- */

/* All levels below a communicator, kept by the library. All functions below return MPI_ERR_ARG for a null handle. */
typedef struct MPIX_Hierarchy_s* MPIX_Hierarchy;
#define MPIX_HIERARCHY_NULL ((MPIX_Hierarchy)0)

/* Splits `comm` along the topology until it cannot be split further. Info key "mpix_hlevel" and errors: as for
 * MPIX_Comm_split_type. The hierarchy keeps the error handler that `comm` has at the time of the call. On an error
 * `hierarchy` is MPIX_HIERARCHY_NULL and all memory is released. */
int MPIX_Hierarchy_create(MPI_Comm comm, MPI_Info info, MPIX_Hierarchy* hierarchy);
/* A hierarchy given by the user, independent of the topology (RR-9077, Section 7.4, H_conf): on level i each
 * communicator is cut into groups[i] blocks of consecutive ranks, all of the same size. The blocks of the last level
 * have one rank each, so the product of `groups` is the size of `comm`. For example, groups {4, 8} cut 32 ranks into
 * 4 blocks of 8, and each block into single ranks. `levels` and `groups` must be the same on all processes.
 * MPIX_Comm_get_hlevel_info has no information on these communicators. Errors: MPI_ERR_COMM; MPI_ERR_ARG on all
 * processes (on one, a pointer is null, a number is below 1 or the product is not the size; or two processes
 * differ). */
int MPIX_Hierarchy_create_groups(MPI_Comm comm, int levels, const int groups[], MPIX_Hierarchy* hierarchy);
/* Frees the communicators and sets the handle to MPIX_HIERARCHY_NULL. */
int MPIX_Hierarchy_free(MPIX_Hierarchy* hierarchy);
/* The number of levels that the calling process is in. Local. */
int MPIX_Hierarchy_depth(MPIX_Hierarchy hierarchy, int* depth);
/* The communicator of a level (0 is the outermost split; level < depth) and that of the roots among its siblings
 * (MPI_COMM_NULL unless the process is rank 0 of `comm`). They belong to the hierarchy: do not free them. Either
 * pointer may be null. Local. Error: MPI_ERR_ARG (no such level). */
int MPIX_Hierarchy_level(MPIX_Hierarchy hierarchy, int level, MPI_Comm* comm, MPI_Comm* rootscomm);

/* RR-9077, Sections 6 and 7.2: a loop over the levels of the hierarchy calls one algorithm on each roots
 * communicator. Ranks and roots are those of the communicator from which the hierarchy was made. Semantics and
 * algorithms are those of the functions above, except ring and recursive doubling, which have no root (MPI_ERR_ARG).
 * An operation that does not commute is applied in rank order; if the hierarchy's communicators are not ranges of
 * ranks, by the in-order binary tree over all ranks. */
int MPIX_Hierarchy_bcast(void* buffer, int count, MPI_Datatype datatype, int root, MPIX_Hierarchy hierarchy,
                         int algorithm, int segment_bytes);
int MPIX_Hierarchy_reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,
                          MPIX_Hierarchy hierarchy, int algorithm, int segment_bytes);
int MPIX_Hierarchy_allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                             MPIX_Hierarchy hierarchy, int algorithm, int segment_bytes);
int MPIX_Hierarchy_gather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                          MPI_Datatype recvtype, int root, MPIX_Hierarchy hierarchy, int algorithm);
int MPIX_Hierarchy_scatter(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                           MPI_Datatype recvtype, int root, MPIX_Hierarchy hierarchy, int algorithm);
int MPIX_Hierarchy_allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                             MPI_Datatype recvtype, MPIX_Hierarchy hierarchy, int algorithm);
int MPIX_Hierarchy_barrier(MPIX_Hierarchy hierarchy, int algorithm);

/* ---- Nonblocking collectives ---- */

/* Collectives that progress while the application computes. Each is a schedule of rounds (libNBC) that a progress
 * thread runs. In a collective over a tree, the application's thread may do the lowest levels (the split-tree
 * algorithm, IJHPCA'19, Section 6). Trees are m-nomial; a scan is a chain.
 *
 * Progress threads. Under a real MPI they are threads of the process, bound with hwloc, and MPI must have been
 * initialised with MPI_THREAD_MULTIPLE. In SMPI threads cannot communicate, so the upper half of the ranks of
 * MPI_COMM_WORLD are the progress threads of the lower half. The launcher starts them on the cores that the placement
 * names (a scenario's `mapping: {progress: numa}`). The same program works in both cases:
 *
 *   MPI_Comm application;
 *   MPIX_Progress_start(MPI_COMM_WORLD, MPI_INFO_NULL, &application);
 *   if (application != MPI_COMM_NULL) { ... the program, on `application` instead of MPI_COMM_WORLD ... }
 *   MPIX_Progress_stop(&application);
 *
 * Without progress threads (never started, or "mpix_placement" is "none") nonblocking collectives progress only in
 * MPIX_Wait and MPIX_Test. */

/* Starts a progress thread for each process of `comm`. `application` is a communicator of all processes that run the
 * application, in rank order. Under SMPI a rank that is a progress thread works inside the call, which returns
 * MPI_COMM_NULL after all ranks of the application have called MPIX_Progress_stop. Progress threads can be started
 * only once at a time. Info key "mpix_placement": "numa" (default), "bind", "odd-even", or a list of PUs ("31,63"),
 * which are the placements of IJHPCA'19, Sections 4 and 5; or "none" (no threads). Under SMPI the launcher has
 * already placed the threads, and only "none" has an effect. Errors: MPI_ERR_COMM (null, intercommunicator; under
 * SMPI other than the processes of MPI_COMM_WORLD), MPI_ERR_INFO (on all processes: an unknown placement, a PU that
 * does not exist, no core left), MPI_ERR_ARG (null pointer), MPI_ERR_OTHER (on all processes: threads are running
 * already, MPI was not initialised with MPI_THREAD_MULTIPLE, the launcher started no progress threads; one line on
 * stderr says which). */
int MPIX_Progress_start(MPI_Comm comm, MPI_Info info, MPI_Comm* application);
/* Stops the progress threads, frees `application` and sets it to MPI_COMM_NULL. All processes must call it, even if
 * their `application` is MPI_COMM_NULL. Errors: MPI_ERR_PENDING (on all processes: one has a request that it has not
 * waited for; the threads continue to run), MPI_ERR_COMM (not the communicator from MPIX_Progress_start). */
int MPIX_Progress_stop(MPI_Comm* application);
/* For the calling process's node: the number of communication cores, which are cores that run progress threads but
 * no rank of the application, and the number of all cores. `cpuset` lists the PUs to which the calling process's
 * progress thread is bound; the string is valid until the threads are stopped. Without threads: 0, and "". Null
 * pointers are skipped. Local. */
int MPIX_Progress_get(int* communication_cores, int* cores, const char** cpuset);

/* Sets how the nonblocking collectives of a communicator are split and shaped. Info keys, each with its default:
 *
 * "mpix_steps": how many of the tree's lowest levels the application's threads do: a number up to the tree's height,
 *   "all", or "auto" (default): the number that the model finds best for the communicator's size and the number of
 *   communication cores (Section 6.2; 0 without communication cores). An all-to-one collective does these levels in the
 *   call, a one-to-all collective in MPIX_Wait, where a process may have to wait until its neighbours in the tree wait
 *   too.
 * "mpix_arity": m of the m-nomial tree, at least 2. Default "2".
 * "mpix_tree": "flat" (default), or "nodes": a tree in each node, and one over the nodes (not for scatter and gather).
 * "mpix_check": "true" (default): before any data moves, processes compare which collective each has started, with
 *   which root, shape, size and operation. If two differ, all get MPI_ERR_ARG from the wait (or the call), and two that
 *   differ print on stderr what they have started. Costs ceil(log2 n) messages of 16 B each way. "false": as usual in
 *   MPI, a mismatch is not detected.
 *
 * Missing keys keep their values. Collective; `info` must have the same contents on all processes. Errors:
 * MPI_ERR_COMM; MPI_ERR_INFO (an invalid value; more steps than the tree has levels). */
int MPIX_Comm_set_progress(MPI_Comm comm, MPI_Info info);

/* A started collective. A handle can be waited for once; using it again is an error, even after other requests
 * started. */
typedef int MPIX_Request;
#define MPIX_REQUEST_NULL 0

/* As the MPI functions of the same name (MPI 4.0, Section 6.12): any datatype, root, count, and MPI_IN_PLACE.
 * Several may be in flight if all processes of a communicator start them in the same order. The first call on a
 * communicator creates its context and synchronises the processes. Before the wait, buffers must not be touched and
 * an operation must not be freed (a datatype may be). Counts and type signatures must be the same on all processes.
 * Errors: errors in the arguments are those of MPI, found by the process alone; MPI_ERR_COMM also if `comm` has
 * processes that are not in the communicator from MPIX_Progress_start; MPI_ERR_OTHER (more than 256 in flight on a
 * communicator, fewer if the MPI has few tags; more than 1024 communicators in use; 2^31 - 1 started by the process
 * since it began). A thread must not free a communicator that another thread of the process uses. */
int MPIX_Ibcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm, MPIX_Request* request);
int MPIX_Ireduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,
                 MPI_Comm comm, MPIX_Request* request);
int MPIX_Iallreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                    MPIX_Request* request);
int MPIX_Iscatter(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                  MPI_Datatype recvtype, int root, MPI_Comm comm, MPIX_Request* request);
int MPIX_Igather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                 MPI_Datatype recvtype, int root, MPI_Comm comm, MPIX_Request* request);
int MPIX_Iscan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
               MPIX_Request* request);
int MPIX_Ibarrier(MPI_Comm comm, MPIX_Request* request);

/* Returns when the collective is complete on this process, and sets `request` to MPIX_REQUEST_NULL. Requests may be
 * waited for in any order: a wait also does the application's part of other collectives in flight. Errors:
 * MPI_ERR_REQUEST for MPIX_REQUEST_NULL and for a request that has been waited for (unlike MPI, which accepts a null
 * request: waiting twice is a mistake); the collective's own error; MPI_ERR_ARG if processes have started different
 * collectives. MPIX_Waitall waits for all, even if one fails, and returns the first error; also MPI_ERR_COUNT
 * (negative), MPI_ERR_ARG (null pointer). */
int MPIX_Wait(MPIX_Request* request);
int MPIX_Waitall(int count, MPIX_Request requests[]);
/* As MPIX_Wait, but does not wait: `flag` says whether the collective is complete; only then is `request` set to
 * MPIX_REQUEST_NULL. */
int MPIX_Test(MPIX_Request* request, int* flag);
/* How many of the tree's lowest levels the application's threads do in a collective that has not been waited for,
 * that is, the number that "auto" has chosen. 0 for a scan and a barrier. Local. Errors: MPI_ERR_REQUEST,
 * MPI_ERR_ARG (null pointer). */
int MPIX_Request_get_steps(MPIX_Request request, int* steps);

/* ---- Node-aware Cartesian communicators ---- */

/* W. D. Gropp, "Using Node Information to Implement MPI Cartesian Topologies", EuroMPI'18: MPI's Cartesian functions,
 * but `reorder` really reorders. The arguments have the same meaning as in MPI's functions (MPI 4.0, Section 8.5). So
 * do the errors; where MPIs differ, they are: MPI_ERR_DIMS (a dimension that is 0 or negative; ndims negative; a
 * direction that does not exist), MPI_ERR_ARG (the mesh is larger than the communicator; coordinates outside a
 * dimension that is not periodic; null pointers), MPI_ERR_TOPOLOGY (the communicator was not made by
 * MPIX_Nodecart_create or _sub, and is not a dup of such a one).
 *
 * Under a real MPI the result is also one of MPI's own Cartesian communicators: MPI_Cart_shift, MPI_Cart_get and
 * MPI's neighborhood collectives work on it. Under SMPI it is not, because SMPI needs O(P) memory in each of P ranks
 * for such a communicator and has no neighborhood collectives. There, use the functions of this header, or preload
 * the shim (libmpix_cart_shim), which makes MPI's functions work. */

/* Sets how Cartesian communicators are made from `comm`. Info keys, each with its default:
 *
 * "mpix_cart_method": "auto" (default), "nodecart", "multilevel", "blocks", "hyperplane", "kdtree", "strips", "cart".
 *   auto tries all methods that are possible and takes the one with the fewest partners of a shift by 1 on other nodes,
 *   then on other instances of the further levels; it never has more off-node partners than MPI's own order. nodecart
 *   is the paper's algorithm (Section 2.1), multilevel applies it to every level of the communicator hierarchy (2.2),
 *   blocks tries all shapes of a node's block and takes the best. These three need equally many processes on each node
 *   (multilevel: in each instance of every level) and a block that fits. hyperplane, kdtree and strips are from von
 *   Kirchbach et al., IEEE Cluster 2020, and work for any number of processes on each node. cart does not reorder.
 *
 * Without the key, the environment variable MPIX_CART_METHOD sets the method; the default is auto. Collective;
 * `info` must have the same contents on all processes. Errors: MPI_ERR_COMM; MPI_ERR_INFO (no such method; on all
 * processes). */
int MPIX_Comm_set_nodecart(MPI_Comm comm, MPI_Info info);

/* As MPI_Cart_create. With `reorder` 0 the order is MPI's own (method cart). The first call on `comm` learns the
 * places of the processes and keeps them with it (Section 2.2): later calls cost one MPI_Allreduce of a few
 * integers, to detect the errors below, plus the creation of a communicator. A process whose binding spans several
 * packages, for example, is in none of them; the processes of a node that do so count as a package of their own.
 * Processes that do not fit in the mesh, those with the highest ranks, get MPI_COMM_NULL. A dup of the result can be
 * used like the result. Errors: those above, also on all processes if the arguments differ among them (MPI_ERR_ARG);
 * MPI_ERR_OTHER if the method of MPIX_Comm_set_nodecart or MPIX_CART_METHOD is not possible here (unequal nodes
 * under nodecart), MPIX_CART_METHOD is not the name of a method, or the place of a process is not known: one line on
 * stderr says why. */
int MPIX_Nodecart_create(MPI_Comm comm, int ndims, const int dims[], const int periods[], int reorder,
                         MPI_Comm* newcomm);
/* As MPI_Cart_map, but collective, because places must be known: the rank that the calling process would have, or
 * MPI_UNDEFINED if it does not fit in the mesh. Errors: as for MPIX_Nodecart_create. */
int MPIX_Nodecart_map(MPI_Comm comm, int ndims, const int dims[], const int periods[], int* newrank);
/* As MPI_Cart_sub; if no dimension remains, each process is alone. Errors: as for MPIX_Nodecart_create, and
 * MPI_ERR_TOPOLOGY. */
int MPIX_Nodecart_sub(MPI_Comm comm, const int remain_dims[], MPI_Comm* newcomm);
/* As MPI_Cartdim_get, MPI_Cart_get, MPI_Cart_rank, MPI_Cart_coords, MPI_Cart_shift. Local. Errors: as above;
 * MPI_ERR_ARG also if maxdims is less than the number of dimensions; MPI_ERR_RANK. */
int MPIX_Nodecart_dim_get(MPI_Comm comm, int* ndims);
int MPIX_Nodecart_get(MPI_Comm comm, int maxdims, int dims[], int periods[], int coords[]);
int MPIX_Nodecart_rank(MPI_Comm comm, const int coords[], int* rank);
int MPIX_Nodecart_coords(MPI_Comm comm, int rank, int maxdims, int coords[]);
int MPIX_Nodecart_shift(MPI_Comm comm, int direction, int displ, int* source, int* dest);
/* As MPI_Dims_create, for `nnodes` processes of `comm`, but aware of its nodes: it minimises first what leaves a
 * node, then what leaves a process (Section 2.1: 576 processes, 36 a node, give 12x8x6). Collective over `comm`.
 * Errors: MPI_ERR_DIMS (the given entries do not divide nnodes, or are negative; ndims below 1), MPI_ERR_ARG (null
 * pointer, nnodes below 1). */
int MPIX_Nodecart_dims_create(MPI_Comm comm, int nnodes, int ndims, int dims[]);
/* Describes a result of MPIX_Nodecart_create or MPIX_Nodecart_sub. `method` is the method that made it, or the mesh
 * of which it is a part ("kdtree"), as a constant string. `on_node` and `off_node` count the partners of all its
 * processes in a shift by 1, two per dimension, that are on the same node and on others (a shift off the mesh counts
 * as off-node). Null pointers are skipped. Local. */
int MPIX_Nodecart_get_mapping(MPI_Comm comm, char** method, long* on_node, long* off_node);

/* MPI's neighborhood collectives (MPI 4.0, Section 8.6) on results of the functions above, under every MPI.
 * Neighbours are in the order of the dimensions; in each dimension the source of a shift by 1 comes first, then its
 * destination. No message is sent to or received from MPI_PROC_NULL, and its part of the buffer stays unchanged. */
int MPIX_Neighbor_allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                            MPI_Datatype recvtype, MPI_Comm comm);
int MPIX_Neighbor_allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                             const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm);
int MPIX_Neighbor_alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                           MPI_Datatype recvtype, MPI_Comm comm);
int MPIX_Neighbor_alltoallv(const void* sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
                            void* recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype,
                            MPI_Comm comm);
int MPIX_Neighbor_alltoallw(const void* sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
                            const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[],
                            const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm);

/* ---- Reordering ranks by what they send ---- */

/* E. Jeannot, R. Sartori, PDSEC 2020, Section V, Figure 1: once the bytes between each pair of ranks are known
 * (MPI_Monitoring.h), the application's ranks are reordered so that pairs that exchange many bytes are close in the
 * machine's tree. The processes stay where they are; the new communicator contains all of them in a new order.
 *
 *   MPI_M_rootgather_data(id, 0, MPI_M_DATA_IGNORE, bytes, MPI_M_P2P_ONLY);
 *   MPIX_Comm_reorder(comm, bytes, &newcomm);
 *   MPIX_Comm_redistribute(old_data, data, count, MPI_DOUBLE, newcomm);
 *   ... the rest of the iterations, on newcomm ...
 *
 * k: the process that has rank r in `comm` has rank k[r] in `newcomm`, and continues the work of rank k[r] of
 * `comm`. */

/* `matrix`: n * n bytes, row-major; element i * n + j is what rank i of `comm` sends to rank j. Only rank 0's matrix
 * is read. The environment variable MPIX_REORDER_ALGORITHM selects the algorithm; the default is treematch. The
 * result is never worse than the order of `comm` in the sum of bytes times edges of the tree. Collective. Errors:
 * MPI_ERR_COMM; MPI_ERR_ARG (null pointer); MPI_ERR_OTHER on all processes if the place of one is not known or the
 * environment variable is not the name of an algorithm (one line on stderr). */
int MPIX_Comm_reorder(MPI_Comm comm, const unsigned long matrix[], MPI_Comm* newcomm);
/* As MPIX_Comm_reorder, but from rows, for many processes: each process passes the `npeers` ranks of `comm` to which
 * it sends, and the bytes for each. A rank may occur twice. Info key "mpix_reorder_algorithm": "treematch"
 * (default), "scotch", "roundrobin", "random" (with "mpix_reorder_seed", default "1"), "identity". Errors: the same,
 * and MPI_ERR_RANK, MPI_ERR_COUNT (npeers negative), MPI_ERR_INFO (no such algorithm or seed), on all processes. */
int MPIX_Comm_reorder_rows(MPI_Comm comm, int npeers, const int peers[], const unsigned long bytes[], MPI_Info info,
                           MPI_Comm* newcomm);
/* The permutation k, with n elements, of a communicator that one of the two functions above made, or of a dup of it.
 * Local. Errors: MPI_ERR_COMM (null), MPI_ERR_ARG (any other communicator, null pointer). */
int MPIX_Comm_get_reordering(MPI_Comm newcomm, int new_rank[]);
/* Moves data along with the ranks: the contents of `sendbuf` on rank i of the old communicator arrive in `recvbuf`
 * on rank i of `newcomm`. `count` must be the same on all processes; the buffers must not overlap. Collective.
 * Errors: as above, and those of MPI_Sendrecv. */
int MPIX_Comm_redistribute(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Comm newcomm);

/* The bytes that the network cards of the calling process's node have sent and received so far. Under SMPI these are
 * the bytes of the simulated machine (including envelopes, at this moment of simulated time); otherwise, the
 * kernel's counters of InfiniBand and Omni-Path cards (/sys/class/infiniband, port_xmit_data and port_rcv_data times
 * 4). Either pointer may be null. Local. Error, through the handler of MPI_COMM_SELF: MPI_ERR_UNSUPPORTED_OPERATION
 * (no such card). */
int MPIX_Get_network_bytes(unsigned long* sent, unsigned long* received);

#ifdef __cplusplus
}
#endif
#endif
