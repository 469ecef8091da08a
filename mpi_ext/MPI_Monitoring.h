// SPDX-License-Identifier: LGPL-2.1-only
/* Monitoring sessions: a program that watches its own messages while it runs (E. Jeannot, R. Sartori, "Improving MPI
 * Application Communication Time with an Introspection Monitoring Library", PDSEC 2020, Section IV).
 *
 *   MPI_Init(&argc, &argv);
 *   MPI_M_init();
 *   MPI_M_msid id;
 *   MPI_M_start(MPI_COMM_WORLD, &id);
 *   MPI_Barrier(MPI_COMM_WORLD);                          // what is watched
 *   MPI_M_suspend(id);
 *   MPI_M_rootflush(id, 0, "barrier", MPI_M_P2P_ONLY);     // the messages that the barrier is made of
 *   MPI_M_free(id);
 *   MPI_M_finalize();
 *   MPI_Finalize();
 *
 * A session counts, in each process of its communicator, the messages that the process sends to the others and their
 * bytes, on any communicator. Sessions are independent of each other and may overlap. A session is active from
 * MPI_M_start to MPI_M_suspend and from MPI_M_continue to MPI_M_suspend; its data is available while it is suspended.
 * What the functions below send themselves is counted by no session.
 *
 *      MPI_M_start            MPI_M_suspend               MPI_M_free
 *   ----------------> active ----------------> suspended ------------> (gone)
 *                       ^                        |    ^ \
 *                       |    MPI_M_continue      |    '--' MPI_M_reset, MPI_M_get_*, MPI_M_*gather_data, MPI_M_*flush
 *                       '------------------------'
 *
 * All functions return MPI_SUCCESS or one of the codes below, and call no error handler; where one fails it has done
 * nothing. All are thread-safe (two threads may call at once, on different sessions where the function is collective);
 * none may be called by a signal handler. MPI_M_start, MPI_M_get_data, MPI_M_allgather_data, MPI_M_rootgather_data,
 * MPI_M_flush, MPI_M_rootflush and MPI_M_free are collective over the session's communicator: an error of one process
 * in its arguments or its session's state is everybody's, all then return an error, the processes in error their own,
 * the others MPI_M_OTHER_PROCESS. The others are local.
 *
 * A provider sees the messages (MPI_M_get_info):
 *   SMPI           every message that the simulation sends, whoever sends it: libmpix_monitoring_smpi.so is to be
 *                  preloaded into the simulator. `strata run` does; else `smpirun -wrapper "env
 *                  LD_PRELOAD=$(pkg-config --variable=monitoring mpix-topology-smpi)" ...`. Collectives of MPI and of
 *                  mpix.h are seen as the messages they are made of.
 *   Open MPI       its own monitoring component, by MPI_T: `mpirun --mca pml_monitoring_enable 1 ...`. Collectives
 *                  are seen as the messages they are made of, which are not told from the program's own; with 2
 *                  the program's messages (and those of mpix.h's collectives) are seen alone.
 *   PMPI           Open MPI and MPICH, from C and Fortran: libmpix_monitoring_MPI.so stands between the program and
 *                  the MPI (linked before it, or preloaded: `mpirun ... env LD_PRELOAD=$(pkg-config
 *                  --variable=monitoring mpix-topology-MPI) program`). Messages of the program and of mpix.h's
 *                  collectives are seen; of MPI's own collectives only that they are called. What goes to processes
 *                  outside of MPI_COMM_WORLD, partitioned sends and persistent collectives are not seen.
 * The environment variable MPI_M_PROVIDER ("smpi", "openmpi", "pmpi") asks for one; without it the first possible one
 * of this list is taken. */
#ifndef STRATA_MPI_EXT_MPI_MONITORING_H
#define STRATA_MPI_EXT_MPI_MONITORING_H

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A session. A value is never used twice by a process; sessions of different processes have different values. */
typedef int MPI_M_msid;
#define MPI_M_MSID_NULL 0
/* Instead of a session, for MPI_M_suspend, MPI_M_continue, MPI_M_reset and MPI_M_free: all that are in the state that
 * the function asks for (zero is not an error). */
#define MPI_M_ALL_MSID (-1)

/* Kinds of communication, to be combined by |; what is asked for is the sum of the kinds. */
#define MPI_M_P2P_ONLY 1 /* point-to-point messages, those of collectives included, as far as they are seen */
#define MPI_M_COLL_ONLY                                                                          \
  2 /* collectives as they are called: what each process has for each other, however it is sent; \
       so P2P | COLL has the traffic of collectives twice */
#define MPI_M_OSC_ONLY                                                                           \
  4 /* one-sided: put, accumulate from their origin, get from its target, an operation that does \
       both both ways */
#define MPI_M_ALL_COMM (MPI_M_P2P_ONLY | MPI_M_COLL_ONLY | MPI_M_OSC_ONLY)
/* How a provider sees (MPI_M_get_info), beside the three kinds. */
#define MPI_M_SEES_DECOMPOSED 8 /* P2P has the messages of MPI's own collectives */
#define MPI_M_SEES_MPIX 16      /* P2P has the messages of mpix.h's collectives */
#define MPI_M_SEES_EXTERNAL 32  /* it tells the program's own messages from those of collectives (MPI_M_flush) */
#define MPI_M_SEES_RESULTS 64   /* OSC has what gets bring back */

/* Instead of a buffer: this part is not wanted. */
#define MPI_M_DATA_IGNORE ((unsigned long*)0)
#define MPI_M_INT_IGNORE ((int*)0)

/* Error codes. They are not MPI error classes: MPI_M_error_string names them. */
#define MPI_M_MISSING_INIT 9001      /* before MPI_M_init, or after MPI_M_finalize */
#define MPI_M_MULTIPLE_INIT 9002     /* MPI_M_init twice without MPI_M_finalize between */
#define MPI_M_INVALID_MSID 9003      /* no session of this process, or one that was freed */
#define MPI_M_SESSION_ACTIVE 9004    /* the session is active; the function wants it suspended */
#define MPI_M_SESSION_SUSPENDED 9005 /* the session is suspended already */
#define MPI_M_SESSIONS_LEFT 9006     /* MPI_M_finalize while sessions are not freed */
#define MPI_M_INVALID_COMM 9007      /* null, or an intercommunicator */
#define MPI_M_INVALID_ARGUMENT 9008  /* a null pointer, a root that is not a rank, roots that differ among processes */
#define MPI_M_INVALID_FLAGS 9009     /* no kind, an unknown bit, or processes that name different ones */
#define MPI_M_NO_PROVIDER                                                                                          \
  9010                      /* no provider sees messages here, or not the one that MPI_M_PROVIDER names; a line on \
                               stderr says how to have one */
#define MPI_M_NOT_SEEN 9011 /* the provider sees none of the kinds that are asked for */
#define MPI_M_OVERFLOW 9012 /* a number is larger than an unsigned long: it is ULONG_MAX; the data is given */
#define MPI_M_FILE                                                                                             \
  9013                           /* a file could not be written: a line on stderr says which and why. What was \
                                    there before is still there, and the session has lost nothing */
#define MPI_M_OTHER_PROCESS 9014 /* another process is in error */
#define MPI_M_INTERNAL 9015      /* MPI failed, or memory is exhausted */

/* The environment of sessions, between MPI_Init and MPI_Finalize; again after MPI_M_finalize. Local. Errors:
 * MULTIPLE_INIT, NO_PROVIDER; MISSING_INIT (also of MPI). */
int MPI_M_init(void);
/* Local. Errors: MISSING_INIT, SESSIONS_LEFT. */
int MPI_M_finalize(void);

/* A new session over the processes of `comm`, active when the call returns. `comm` may be freed. Errors:
 * MISSING_INIT, INVALID_COMM, INVALID_ARGUMENT. */
int MPI_M_start(MPI_Comm comm, MPI_M_msid* msid);
/* Local. Errors: MISSING_INIT, INVALID_MSID, SESSION_SUSPENDED. */
int MPI_M_suspend(MPI_M_msid msid);
/* Local. Errors: MISSING_INIT, INVALID_MSID, SESSION_ACTIVE. */
int MPI_M_continue(MPI_M_msid msid);
/* The process's data becomes zero. Local. Errors: MISSING_INIT, INVALID_MSID, SESSION_ACTIVE. */
int MPI_M_reset(MPI_M_msid msid);
/* Errors: MISSING_INIT, INVALID_MSID, SESSION_ACTIVE. */
int MPI_M_free(MPI_M_msid msid);

/* `provided`: what the provider sees, kinds and MPI_M_SEES_*. `array_size`: the number of processes, n: the elements
 * that MPI_M_get_data writes; n * n those of the two gathers. Either may be MPI_M_INT_IGNORE. Local; the session may
 * be active. Errors: MISSING_INIT, INVALID_MSID. */
int MPI_M_get_info(MPI_M_msid msid, int* provided, int* array_size);

/* The messages that the calling process has sent to each process, by rank in the session's communicator: how many
 * messages, and bytes (of data: no envelope). Arguments except `root` may differ among processes. Errors: MISSING_INIT,
 * INVALID_MSID, SESSION_ACTIVE, INVALID_FLAGS, NOT_SEEN, OVERFLOW. */
int MPI_M_get_data(MPI_M_msid msid, unsigned long* msg_counts, unsigned long* msg_sizes, int flags);
/* The matrix of all messages, row-major: element i * n + j is what i has sent to j. `flags` must be the same on all
 * processes. Errors: the same. */
int MPI_M_allgather_data(MPI_M_msid msid, unsigned long* mat_counts, unsigned long* mat_sizes, int flags);
/* The same for rank `root` alone; the others' buffers are not looked at. Errors: the same, and INVALID_ARGUMENT. */
int MPI_M_rootgather_data(MPI_M_msid msid, int root, unsigned long* mat_counts, unsigned long* mat_sizes, int flags);

/* Each process writes what it has sent to the file FILENAME.RANK.prof, as Open MPI's monitoring does: profile2mat and
 * aggregate_profile read it. Lines, fields separated by tabs: E (messages of the program), I (of collectives), C
 * (collectives as called), S (one-sided), sender, receiver, "N bytes", "N msgs sent". Names may differ among processes.
 * Errors: as MPI_M_get_data's, and INVALID_ARGUMENT, FILE. */
int MPI_M_flush(MPI_M_msid msid, const char* filename, int flags);
/* Rank `root` writes the matrices of all: FILENAME.prof, the lines as above; FILENAME_msg_all.mat and
 * FILENAME_size_all.mat, row-major, dense text as profile2mat makes it, but not made symmetric (up to 4,096 processes:
 * beyond they would be huge, and are not written); and FILENAME_msg.mtx and FILENAME_size.mtx, Matrix Market
 * ("coordinate integer general"; row: sender, column: receiver, from 1). Each file appears whole or not at all. Errors:
 * the same. */
int MPI_M_rootflush(MPI_M_msid msid, int root, const char* filename, int flags);

/* The meaning of an error code: a constant string, "unknown error" for any other number. Local, at any time. */
const char* MPI_M_error_string(int error);

#ifdef __cplusplus
}
#endif
#endif
