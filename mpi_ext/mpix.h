// SPDX-License-Identifier: LGPL-2.1-only
/* Strata's topology-aware MPI extensions: the communicator hierarchy of RR-9077, MPI 4's splits by hardware resource,
 * collectives over both, and Cartesian communicators that keep neighbours on one node.
 *
 * All functions return MPI_SUCCESS or an error code, whose class (MPI_Error_class) is named below. Errors go through
 * the communicator's error handler, as MPI's own do; through MPI_COMM_WORLD's where the communicator or the hierarchy
 * is null. (MPICH gives an error of MPI_Wait, where collectives wait, to MPI_COMM_WORLD's.) Unless a function
 * says otherwise it is collective over its communicator and follows MPI's rules for threads: two threads may call at
 * once on different communicators or hierarchies under MPI_THREAD_MULTIPLE.
 *
 * Where a process runs is learned from hwloc and its real binding (a real MPI), or from the file that the environment
 * variable STRATA_PLACEMENT names: a described machine and each rank's binding (`strata run`, or a test that pretends).
 * Under SMPI without that file each host of the simulated platform is a node whose inside is not known. */
#ifndef STRATA_MPI_EXT_MPIX_H
#define STRATA_MPI_EXT_MPIX_H

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Splitting along the topology ---- */

/* Values for split_type beside MPI's own. */
#define MPIX_COMM_TYPE_PHYSICAL_TOPOLOGY 9077 /* RR-9077, Section 3.2.1 */
#define MPIX_COMM_TYPE_HW_UNGUIDED 9078       /* MPI 4.0, Section 7.4.2 */
#define MPIX_COMM_TYPE_HW_GUIDED 9079         /* MPI 4.0, Section 7.4.2 */
#define MPIX_COMM_TYPE_RESOURCE_GUIDED 9080   /* MPI 4.1, Section 7.4.2 */

/* RR-9077, Section 3.2. By split_type:
 *
 * MPIX_COMM_TYPE_PHYSICAL_TOPOLOGY: one new communicator per child of the deepest object that covers the bindings of
 *   all members; a process whose binding fits in no child gets MPI_COMM_NULL. The new communicator is a strict subset
 *   of `comm`. The info key "mpix_hlevel" splits straight to a level: its value is a name as MPIX_Comm_get_hlevel_info
 *   gives it ("Package"), or a number n (the new communicator is that of n splits in a row); each process gets its
 *   communicator of that level, and MPI_COMM_NULL where it has none.
 * MPIX_COMM_TYPE_HW_UNGUIDED: the same; and where `info` is not MPI_INFO_NULL its key "mpi_hw_resource_type" is set to
 *   the name of the new communicator's level, on the processes that have one.
 * MPIX_COMM_TYPE_HW_GUIDED: by the info key "mpi_hw_resource_type": an object type's name ("Package", "L3", "NUMANode",
 *   "Machine", or a network level's, in upper or lower case), or "mpi_shared_memory", which is MPI_COMM_TYPE_SHARED.
 *   All processes whose binding lies within one instance of that type form a communicator. A process within none gets
 *   MPI_COMM_NULL; so do all if the key is missing or its value unknown. The new communicator may hold all members of
 *   `comm`.
 * MPIX_COMM_TYPE_RESOURCE_GUIDED: the same, the value also a URI as MPIX_Get_hw_resource_info gives it ("hwloc://L3");
 *   or by the key "mpi_pset_name", whose values "mpi://WORLD" and "mpi://SELF" are known. Giving both keys is
 *   MPI_ERR_INFO.
 * MPI_COMM_TYPE_SHARED: the processes of a node.
 * MPI_UNDEFINED: the process takes part (its binding counts for what covers all members), is in no new communicator and
 *   gets MPI_COMM_NULL.
 * Any other is MPI_Comm_split_type's.
 *
 * Ranks are ordered by `key`, then by rank in `comm`. Errors: MPI_ERR_COMM (null or intercommunicator), MPI_ERR_ARG
 * (null pointer; on all processes where two pass different split_types), MPI_ERR_INFO (on all processes where two pass
 * different values for a key that guides the split, or one a value of "mpix_hlevel" that is neither a name nor a number
 * above 0), MPI_ERR_OTHER (on all processes where one's place is not known: the placement file is wrong; one line on
 * its stderr says how). */
int MPIX_Comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm* newcomm);

/* RR-9077, Section 3.2.3. The split along the topology, keyed by the rank in `comm`, and the communicator of the roots:
 * rank 0 of each new communicator, in the order of their ranks in `comm`. `rootscomm` is MPI_COMM_NULL for all others.
 * The info key "mpix_hlevel" and errors as above. */
int MPIX_Comm_hsplit_with_roots(MPI_Comm comm, MPI_Info info, MPI_Comm* newcomm, MPI_Comm* rootscomm);

/* RR-9077, Section 3.4. All levels at once: what repeated MPIX_Comm_hsplit_with_roots gives, outermost first. `depth`
 * is the number of levels that the calling process is in (processes differ), also where that is more than `max_depth`,
 * the number of elements of the arrays and the number of levels that are made; elements from depth on are
 * MPI_COMM_NULL. rootscomms[i] is the communicator of the roots among the siblings of newcomms[i]; `rootscomms` may be
 * null, then none are made. With max_depth 0 only the depth is found, and the arrays may be null. Errors: as above, and
 * MPI_ERR_ARG (on all processes where max_depth is negative on one, or max_depth, or whether rootscomms is null,
 * differs). */
int MPIX_Comm_hsplit_all(MPI_Comm comm, MPI_Info info, int max_depth, MPI_Comm newcomms[], MPI_Comm rootscomms[],
                         int* depth);

/* RR-9077, Section 3.3.1. Information on a communicator that one of the functions above made as `newcomm`, or that a
 * hierarchy along the topology has on a level (of MPI's own split_types only MPI_COMM_TYPE_SHARED, whose siblings are
 * the nodes): how many siblings it has, itself included; its index among them, in the order of the tree, from 0; and
 * the name of the deepest object that covers its members' bindings. Local. `type` points to a constant string, valid
 * until the program ends; do not free it. Null pointers are skipped. Errors: MPI_ERR_COMM (null), MPI_ERR_ARG for any
 * other communicator, unless it is a dup of such a one. */
int MPIX_Comm_get_hlevel_info(MPI_Comm comm, int* num_comms, int* index, char** type);

/* RR-9077, Section 3.3.2. The name of the deepest object that covers the bindings of the listed ranks of `comm`:
 * hwloc's within a node, the switch level or "System - Cluster" across nodes, "Unknown" where the caller is not listed.
 * Collective over `comm`; each process gives a list of its own. `type` as above. Errors: MPI_ERR_RANK, MPI_ERR_ARG (on
 * the process whose list is wrong; the others get their answer), MPI_ERR_OTHER as above. */
int MPIX_Comm_get_min_hlevel(MPI_Comm comm, int nranks, const int* ranks, char** type);

/* MPI 4.1, Section 9.1.2 (MPI_Get_hw_resource_info). A new info object with a key for each hardware resource type of
 * the calling process's machine, a URI ("hwloc://L3"; a network level's is "strata://Switch"), whose value is "true"
 * where the process is restricted to one instance of that type and "false" elsewhere. Local. Free it with
 * MPI_Info_free. Errors, through the handler of MPI_COMM_SELF: MPI_ERR_ARG (null pointer), MPI_ERR_OTHER as above. */
int MPIX_Get_hw_resource_info(MPI_Info* hw_info);

/* ---- Collectives ---- */

/* Algorithms, named and shaped as in Open MPI 2.0.1 (ompi/mca/coll/base). With p processes and s segments a tree of
 * depth d that is segmented takes about (d + s - 1) steps. */
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

/* All run over point-to-point messages, on a context of their own, with the semantics of MPI's function of that name:
 * any root, datatype, count, and MPI_IN_PLACE. `segment_bytes` cuts a message into segments of as many whole elements
 * as fit (at least one); 0 does not cut (Open MPI's default for a forced algorithm), and linear, recursive doubling,
 * and what the root gives to or gets from the rank that stands in for it are never cut. It must be the same on all
 * processes, as `algorithm` must; where a message is cut, or halved (split binary), so must be the number and the size
 * of elements, though MPI_Bcast would let them differ. An operation that does not commute is applied in the order of
 * the ranks with every algorithm: trees that do not keep that order (chain, pipeline, binary, binomial) are then
 * replaced by the in-order binary tree. Errors: MPI_ERR_ARG on an algorithm that the function does not have or a
 * negative segment size, and those of MPI's own function. An error in the arguments of one process is found by that
 * process alone, as in MPI. */

/* linear, chain, pipeline, split-binary, binary, binomial */
int MPIX_Bcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm, int algorithm,
               int segment_bytes);
/* linear, chain, pipeline, binary, binomial, in-order binary */
int MPIX_Reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,
                MPI_Comm comm, int algorithm, int segment_bytes);
/* a reduce to rank 0 and a broadcast of linear, chain, pipeline, binary or binomial; or recursive doubling */
int MPIX_Allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                   int algorithm, int segment_bytes);
/* linear, binomial */
int MPIX_Gather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                MPI_Datatype recvtype, int root, MPI_Comm comm, int algorithm);
/* linear, binomial */
int MPIX_Scatter(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                 MPI_Datatype recvtype, int root, MPI_Comm comm, int algorithm);
/* a gather to rank 0 and a broadcast of linear or binomial; or ring */
int MPIX_Allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                   MPI_Datatype recvtype, MPI_Comm comm, int algorithm);
/* a reduce and a broadcast of nothing, linear or binomial; or recursive doubling */
int MPIX_Barrier(MPI_Comm comm, int algorithm);

/* ---- The hierarchy as a whole ---- */

/* All levels below a communicator, kept by the library. A null handle is MPI_ERR_ARG for all functions below. */
typedef struct MPIX_Hierarchy_s* MPIX_Hierarchy;
#define MPIX_HIERARCHY_NULL ((MPIX_Hierarchy)0)

/* Splits `comm` along the topology until nothing is left. The info key "mpix_hlevel" and errors as above. The hierarchy
 * keeps the error handler that `comm` has then. On an error `hierarchy` is MPIX_HIERARCHY_NULL and nothing is left
 * behind. */
int MPIX_Hierarchy_create(MPI_Comm comm, MPI_Info info, MPIX_Hierarchy* hierarchy);
/* A hierarchy that the user gives and that knows nothing of the topology (RR-9077, Section 7.4, H_conf): on level i
 * each communicator is cut into groups[i] blocks of consecutive ranks, all of one size. The last level's blocks are of
 * one rank: the product of `groups` is the size of `comm`. `levels` and `groups` must be the same on all processes. The
 * communicators say nothing to MPIX_Comm_get_hlevel_info. Errors: MPI_ERR_COMM; MPI_ERR_ARG on all processes (one has a
 * null pointer, a number below 1 or a product that is not the size, or two differ). */
int MPIX_Hierarchy_create_groups(MPI_Comm comm, int levels, const int groups[], MPIX_Hierarchy* hierarchy);
/* Frees the communicators and sets the handle to MPIX_HIERARCHY_NULL. */
int MPIX_Hierarchy_free(MPIX_Hierarchy* hierarchy);
/* How many levels the calling process is in. Local. */
int MPIX_Hierarchy_depth(MPIX_Hierarchy hierarchy, int* depth);
/* The communicator of a level (0 is the outermost split, below depth) and that of the roots among its siblings
 * (MPI_COMM_NULL where the process is not rank 0 of `comm`). They belong to the hierarchy: do not free them. Either
 * pointer may be null. Local. Error: MPI_ERR_ARG (no such level). */
int MPIX_Hierarchy_level(MPIX_Hierarchy hierarchy, int level, MPI_Comm* comm, MPI_Comm* rootscomm);

/* RR-9077, Sections 6 and 7.2: a loop over the levels of the hierarchy that calls one algorithm on each roots
 * communicator. Ranks and roots are those of the communicator that the hierarchy was made of. Semantics and algorithms
 * as those of the functions above, except ring and recursive doubling, which have no root (MPI_ERR_ARG); an operation
 * that does not commute is applied in the order of the ranks (where the hierarchy's communicators are not ranges of
 * ranks, by the in-order binary tree over all). */
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

/* Collectives that progress while the application computes: each is a schedule of rounds (libNBC) that a progress
 * thread runs; of a collective over a tree the lowest levels may stay with the application's thread (the split-tree
 * algorithm, IJHPCA'19, Section 6). Trees are m-nomial, a scan is a chain.
 *
 * Progress threads. Under a real MPI they are threads of the process, bound by hwloc, and MPI must have been
 * initialised with MPI_THREAD_MULTIPLE. SMPI has no threads that communicate: there the upper half of the ranks of
 * MPI_COMM_WORLD are the progress threads of the lower half, started by the launcher on the cores that the placement
 * names (a scenario's `mapping: {progress: numa}`). The same program serves both:
 *
 *   MPI_Comm application;
 *   MPIX_Progress_start(MPI_COMM_WORLD, MPI_INFO_NULL, &application);
 *   if (application != MPI_COMM_NULL) { ... the program, on `application` instead of MPI_COMM_WORLD ... }
 *   MPIX_Progress_stop(&application);
 *
 * Without progress threads (never started, or "mpix_placement" "none") nonblocking collectives progress in MPIX_Wait
 * and MPIX_Test only. */

/* Starts a progress thread for each process of `comm`. `application` is a communicator of all processes that run the
 * application, in the order of their ranks; under SMPI a rank that is a progress thread does its work within the call,
 * which returns after all applications' ranks have called MPIX_Progress_stop, with MPI_COMM_NULL. At most one at a
 * time. Info keys: "mpix_placement": "numa" (default), "bind", "odd-even", a list of PUs ("31,63"), as the placements
 * of IJHPCA'19, Sections 4 and 5, or "none" (no threads). Under SMPI threads are where the launcher put them, and only
 * "none" is looked at. Errors: MPI_ERR_COMM (null, intercommunicator; under SMPI other than the processes of
 * MPI_COMM_WORLD), MPI_ERR_INFO (on all processes: an unknown placement, a PU that is not there, no core left),
 * MPI_ERR_ARG (null pointer), MPI_ERR_OTHER (on all processes: threads are running already, MPI was not initialised
 * with MPI_THREAD_MULTIPLE, the launcher started no progress threads; one line on stderr says which). */
int MPIX_Progress_start(MPI_Comm comm, MPI_Info info, MPI_Comm* application);
/* Stops the progress threads and frees `application`, which becomes MPI_COMM_NULL. To be called by all, also with
 * MPI_COMM_NULL. Errors: MPI_ERR_PENDING (on all processes: a request of one has not been waited for; the threads go
 * on then), MPI_ERR_COMM (not what MPIX_Progress_start gave). */
int MPIX_Progress_stop(MPI_Comm* application);
/* How many different cores the progress threads of the calling process's node run on that run no rank of the
 * application (the communication cores), how many cores the node has, and the list of PUs that the calling process's
 * thread is bound to, a string that is valid until the threads are stopped. Without threads: 0, and "". Null pointers
 * are skipped. Local. */
int MPIX_Progress_get(int* communication_cores, int* cores, const char** cpuset);

/* How the nonblocking collectives of a communicator are to be split and shaped. Info keys, each with its default:
 * "mpix_steps": how many of the tree's lowest levels the application's threads do: a number up to the tree's height,
 *   "all" of them, or "auto" (default): what the model finds best for the communicator's size and the number of
 *   communication cores (Section 6.2; 0 without communication cores). An all-to-one collective does them in the call, a
 *   one-to-all collective in MPIX_Wait: there a process may have to wait until its neighbours in the tree wait too.
 * "mpix_arity": m of the m-nomial tree, from 2. Default "2".
 * "mpix_tree": "flat" (default), or "nodes": a tree in each node, one over the nodes above (not of scatter, gather).
 * "mpix_check": "true" (default): processes compare, before anything is moved, which collective each has started, with
 *   which root, shape, size and operation; where two differ all get MPI_ERR_ARG from the wait (or the call), and two
 *   that differ say on stderr what they have started. Costs ceil(log2 n) messages of 16 B each way. "false": as usual
 *   with MPI, a mismatch is not detected.
 * Keys that are missing keep their value. Collective; `info` must say the same on all processes.
 * Errors: MPI_ERR_COMM; MPI_ERR_INFO (a value that is not as said; more steps than the tree has levels). */
int MPIX_Comm_set_progress(MPI_Comm comm, MPI_Info info);

/* A started collective. A handle is good for one wait; later the same value is an error, not another request. */
typedef int MPIX_Request;
#define MPIX_REQUEST_NULL 0

/* As MPI's functions of that name (MPI 4.0, Section 6.12): any datatype, root, count, and MPI_IN_PLACE; several may be
 * in flight, started in the same order on all processes of a communicator. The first on a communicator makes its
 * context, and waits for the others there. Buffers must not be touched, and an operation must not be freed, before the
 * wait (a datatype may be); counts and type signatures must be the same on all processes. Errors: of the arguments as
 * MPI's, found by the process alone; MPI_ERR_COMM also where `comm` has processes that are not in the communicator that
 * MPIX_Progress_start made; MPI_ERR_OTHER (more than 256 in flight on a communicator, fewer where the MPI has few tags;
 * more than 1024 communicators in use; 2^31 - 1 started by the process since it began). Where another thread of the
 * process uses a communicator, this one must not free it. */
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

/* Returns when the collective is complete on this process, and sets `request` to MPIX_REQUEST_NULL. Any order of waits
 * is right: a wait also does the application's part of other collectives in flight. Errors: MPI_ERR_REQUEST on
 * MPIX_REQUEST_NULL and on a request that has been waited for (MPI lets a null request pass; a collective waited for
 * twice is a mistake); the collective's own error, MPI_ERR_ARG where processes have started different ones.
 * MPIX_Waitall waits for all, even if one fails, and returns the first error; also MPI_ERR_COUNT (negative),
 * MPI_ERR_ARG (null pointer). */
int MPIX_Wait(MPIX_Request* request);
int MPIX_Waitall(int count, MPIX_Request requests[]);
/* The same without waiting: `flag` says whether it was complete, and only then is `request` set to
 * MPIX_REQUEST_NULL. */
int MPIX_Test(MPIX_Request* request, int* flag);
/* How many of the tree's lowest levels the application's threads do of a collective that has not been waited for: what
 * "auto" has chosen. 0 of a scan and a barrier. Local. Errors: MPI_ERR_REQUEST, MPI_ERR_ARG (null pointer). */
int MPIX_Request_get_steps(MPIX_Request request, int* steps);

/* ---- Node-aware Cartesian communicators ---- */

/* W. D. Gropp, "Using Node Information to Implement MPI Cartesian Topologies", EuroMPI'18: MPI's Cartesian functions
 * with a `reorder` that does reorder. The arguments and their meaning are those of MPI's functions (MPI 4.0,
 * Section 8.5); so are the errors, and where MPIs differ: MPI_ERR_DIMS (a dimension that is 0 or negative; ndims
 * negative; a direction that does not exist), MPI_ERR_ARG (the mesh is larger than the communicator; coordinates off a
 * dimension that is not periodic; null pointers), MPI_ERR_TOPOLOGY (the communicator is not one that
 * MPIX_Nodecart_create or _sub made, or a dup of one).
 *
 * Under a real MPI the result is also MPI's own Cartesian communicator: MPI_Cart_shift, MPI_Cart_get and MPI's
 * neighborhood collectives work on it. SMPI keeps O(P) memory in each of P ranks for such a communicator, and has no
 * neighborhood collectives; under it the result is known to the functions here alone, or to MPI's names too where the
 * shim is preloaded (libmpix_cart_shim). */

/* How Cartesian communicators are to be made of `comm`. Info keys, each with its default:
 * "mpix_cart_method": "auto" (default), "nodecart", "multilevel", "blocks", "hyperplane", "kdtree", "strips", "cart".
 *   auto tries all that are possible and takes the one with the fewest partners of a shift by 1 that are on other
 *   nodes, then on other instances of the further levels; it never has more off-node partners than MPI's own order.
 *   nodecart is the paper's algorithm (Section 2.1), multilevel the same on every level that the communicator hierarchy
 *   has (2.2), blocks the best shape of all; these need equally many processes on each node (multilevel: in each
 *   instance of every level) and a block that fits. hyperplane, kdtree and strips are those of von Kirchbach et al.,
 *   IEEE Cluster 2020, and take any. cart does not reorder.
 * Without the key the method is the environment variable MPIX_CART_METHOD's, or auto. Collective; `info` must say the
 * same on all processes. Errors: MPI_ERR_COMM; MPI_ERR_INFO (no such method; on all processes). */
int MPIX_Comm_set_nodecart(MPI_Comm comm, MPI_Info info);

/* As MPI_Cart_create. With `reorder` 0 the order is MPI's own (method cart). The places of the processes are
 * learned by the first call on `comm` and kept with it (Section 2.2): later calls cost one MPI_Allreduce of a few
 * integers, for the errors below, and what making a communicator costs. A process whose binding spans several packages,
 * say, is in none of them: such processes of a node count as a package of their own. Processes beyond the mesh get
 * MPI_COMM_NULL: those with the highest ranks. A dup of the result is as good as the result. Errors: those above, on
 * all processes also where the arguments differ among them (MPI_ERR_ARG); MPI_ERR_OTHER where the method of
 * MPIX_Comm_set_nodecart or MPIX_CART_METHOD is not possible here (unequal nodes under nodecart), the environment names
 * none, or one's place is not known: one line on stderr says why. */
int MPIX_Nodecart_create(MPI_Comm comm, int ndims, const int dims[], const int periods[], int reorder,
                         MPI_Comm* newcomm);
/* The rank that the calling process would have; MPI_UNDEFINED beyond the mesh. As MPI_Cart_map, but collective: places
 * must be known. Errors: as MPIX_Nodecart_create's. */
int MPIX_Nodecart_map(MPI_Comm comm, int ndims, const int dims[], const int periods[], int* newrank);
/* As MPI_Cart_sub; where nothing remains each process is alone. Errors: as MPIX_Nodecart_create's, and
 * MPI_ERR_TOPOLOGY. */
int MPIX_Nodecart_sub(MPI_Comm comm, const int remain_dims[], MPI_Comm* newcomm);
/* As MPI_Cartdim_get, MPI_Cart_get, MPI_Cart_rank, MPI_Cart_coords, MPI_Cart_shift. Local. Errors: as above;
 * MPI_ERR_ARG also where maxdims is less than the dimensions; MPI_ERR_RANK. */
int MPIX_Nodecart_dim_get(MPI_Comm comm, int* ndims);
int MPIX_Nodecart_get(MPI_Comm comm, int maxdims, int dims[], int periods[], int coords[]);
int MPIX_Nodecart_rank(MPI_Comm comm, const int coords[], int* rank);
int MPIX_Nodecart_coords(MPI_Comm comm, int rank, int maxdims, int coords[]);
int MPIX_Nodecart_shift(MPI_Comm comm, int direction, int displ, int* source, int* dest);
/* As MPI_Dims_create, for `nnodes` processes of `comm`, with its nodes in mind: first what leaves a node is least, then
 * what leaves a process (Section 2.1: 576 processes, 36 a node, are 12x8x6). Collective over `comm`. Errors:
 * MPI_ERR_DIMS (the given entries do not divide nnodes, or are negative; ndims below 1), MPI_ERR_ARG (null pointer,
 * nnodes below 1). */
int MPIX_Nodecart_dims_create(MPI_Comm comm, int nnodes, int ndims, int dims[]);
/* For a result of MPIX_Nodecart_create or MPIX_Nodecart_sub: the method that made it, or the mesh that it is a part of
 * ("kdtree"), a constant string; and how many of all its processes' partners of a shift by 1, two per dimension, are on
 * the same node and on others (a shift off the mesh counts as on another). Null pointers are skipped. Local. */
int MPIX_Nodecart_get_mapping(MPI_Comm comm, char** method, long* on_node, long* off_node);

/* MPI's neighborhood collectives (MPI 4.0, Section 8.6) on the result of the functions above, under every MPI:
 * neighbours in the order of the dimensions, of each first the source of a shift by 1, then its destination; nothing is
 * sent to or received from MPI_PROC_NULL, whose part of the buffer is left alone. */
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
 * (MPI_Monitoring.h), the application's ranks are reordered, so that pairs that exchange many bytes are close in the
 * machine's tree. The processes stay where they are; the new communicator has all of them in another order.
 *
 *   MPI_M_rootgather_data(id, 0, MPI_M_DATA_IGNORE, bytes, MPI_M_P2P_ONLY);
 *   MPIX_Comm_reorder(comm, bytes, &newcomm);
 *   MPIX_Comm_redistribute(old_data, data, count, MPI_DOUBLE, newcomm);
 *   ... the rest of the iterations, on newcomm ...
 *
 * k: the process of rank r in `comm` has rank k[r] in `newcomm`, and takes over what rank k[r] of `comm` has done. */

/* `matrix`: n * n bytes, row-major, element i * n + j what rank i of `comm` sends to rank j; looked at on rank 0 alone.
 * The algorithm is that of the environment variable MPIX_REORDER_ALGORITHM, or treematch. Never worse, by the sum of
 * bytes times edges of the tree, than the order of `comm`. Collective. Errors: MPI_ERR_COMM; MPI_ERR_ARG (null
 * pointer); MPI_ERR_OTHER on all processes where one's place is not known or the environment names no algorithm (one
 * line on stderr). */
int MPIX_Comm_reorder(MPI_Comm comm, const unsigned long matrix[], MPI_Comm* newcomm);
/* The same from rows, for many processes: each process says to which `npeers` ranks of `comm` it sends how many bytes.
 * A rank may be named twice. Info key "mpix_reorder_algorithm": "treematch" (default), "scotch", "roundrobin",
 * "random" (with "mpix_reorder_seed", default "1"), "identity". Errors: the same, and MPI_ERR_RANK, MPI_ERR_COUNT
 * (npeers negative), MPI_ERR_INFO (no such algorithm or seed), on all processes. */
int MPIX_Comm_reorder_rows(MPI_Comm comm, int npeers, const int peers[], const unsigned long bytes[], MPI_Info info,
                           MPI_Comm* newcomm);
/* k, n elements, of a communicator that one of the two functions above made, or a dup of it. Local. Errors:
 * MPI_ERR_COMM (null), MPI_ERR_ARG (any other communicator, null pointer). */
int MPIX_Comm_get_reordering(MPI_Comm newcomm, int new_rank[]);
/* Data follows the ranks: what rank i of the old communicator has in `sendbuf` arrives in `recvbuf` of rank i of
 * `newcomm`. `count` elements, the same on all processes; the buffers must not overlap. Collective. Errors: as above,
 * and those of MPI_Sendrecv. */
int MPIX_Comm_redistribute(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Comm newcomm);

/* The bytes that the network cards of the calling process's node have sent and received so far: under SMPI those of the
 * simulated machine (envelopes included, at this moment of simulated time), elsewhere the kernel's counters of
 * InfiniBand and Omni-Path cards (/sys/class/infiniband, port_xmit_data and port_rcv_data times 4). Either pointer may
 * be null. Local. Error, through the handler of MPI_COMM_SELF: MPI_ERR_UNSUPPORTED_OPERATION (no such card). */
int MPIX_Get_network_bytes(unsigned long* sent, unsigned long* received);

#ifdef __cplusplus
}
#endif
#endif
