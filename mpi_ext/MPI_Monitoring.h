// SPDX-License-Identifier: LGPL-2.1-only
/* Monitoring sessions let a program count its own messages while it runs (E. Jeannot, R. Sartori, "Improving MPI
 * Application Communication Time with an Introspection Monitoring Library", PDSEC 2020, Section IV). For example, this
 * program saves the messages that one barrier sends:
 *
 *   MPI_Init(&argc, &argv);
 *   MPI_M_init();
 *   MPI_M_msid id;
 *   MPI_M_start(MPI_COMM_WORLD, &id);
 *   MPI_Barrier(MPI_COMM_WORLD);                          // the calls to count
 *   MPI_M_suspend(id);
 *   MPI_M_rootflush(id, 0, "barrier", MPI_M_P2P_ONLY);     // the messages of the barrier
 *   MPI_M_free(id);
 *   MPI_M_finalize();
 *   MPI_Finalize();
 *
 * A session counts, in each process of its communicator, the messages that the process sends to the other members and
 * their bytes, on any communicator. Sessions are independent and may overlap. A session is active from MPI_M_start to
 * MPI_M_suspend and from MPI_M_continue to MPI_M_suspend; its data can be read while it is suspended. Messages that the
 * functions below send themselves are never counted.
 *
 *      MPI_M_start            MPI_M_suspend               MPI_M_free
 *   ----------------> active ----------------> suspended ------------> (gone)
 *                       ^                        |    ^ \
 *                       |    MPI_M_continue      |    '--' MPI_M_reset, MPI_M_get_*, MPI_M_*gather_data, MPI_M_*flush
 *                       '------------------------'
 *
 * All functions return MPI_SUCCESS or one of the codes below. They call no error handler, and a function that fails
 * changes nothing. All are thread-safe (two threads may call at once; collective functions, on different sessions).
 * None may be called from a signal handler. MPI_M_start, MPI_M_get_data, MPI_M_allgather_data, MPI_M_rootgather_data,
 * MPI_M_flush, MPI_M_rootflush and MPI_M_free are collective over the session's communicator: if one process has an
 * error in its arguments or in its session's state, all processes return an error. The processes in error return their
 * own code, the others MPI_M_OTHER_PROCESS. All other functions are local.
 *
 * A provider observes the messages (MPI_M_get_info):
 *   SMPI           every message of the simulation. libmpix_monitoring_smpi.so must be preloaded into the simulator.
 *                  `strata run` does this; otherwise `smpirun -wrapper "env
 *                  LD_PRELOAD=$(pkg-config --variable=monitoring mpix-topology-smpi)" ...`. Collectives of MPI and of
 *                  mpix.h are counted as the messages they consist of.
 *   Open MPI       its own monitoring component, through MPI_T: `mpirun --mca pml_monitoring_enable 1 ...`. Collectives
 *                  are counted as the messages they consist of, mixed with the program's own. With the value 2, only
 *                  the messages of the program and of mpix.h's collectives are counted.
 *   PMPI           Open MPI and MPICH, from C and Fortran: libmpix_monitoring_MPI.so sits between the program and
 *                  the MPI (linked before it, or preloaded: `mpirun ... env LD_PRELOAD=$(pkg-config
 *                  --variable=monitoring mpix-topology-MPI) program`). It counts messages of the program and of
 * mpix.h's collectives; of MPI's own collectives, only the calls. It does not count messages to processes outside
 * MPI_COMM_WORLD, partitioned sends and persistent collectives. The environment variable MPI_M_PROVIDER ("smpi",
 * "openmpi", "pmpi") selects a provider. Without it, the first one of this list that is available is used. */
#ifndef STRATA_MPI_EXT_MPI_MONITORING_H
#define STRATA_MPI_EXT_MPI_MONITORING_H

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A session handle. A process never uses a value twice; the handles of one session may differ among processes. */
typedef int MPI_M_msid;
#define MPI_M_MSID_NULL 0
/* Can be passed instead of a session to MPI_M_suspend, MPI_M_continue, MPI_M_reset and MPI_M_free: all sessions that
 * are in the state that the function requires. It is not an error if no session is. */
#define MPI_M_ALL_MSID (-1)

/* Kinds of communication. Combine them with |; the result is the sum over the kinds. */
#define MPI_M_P2P_ONLY 1 /* point-to-point messages, including those of collectives if the provider sees them */
#define MPI_M_COLL_ONLY                                                                          \
  2 /* collectives as called: the data that each process has for each other, however it is sent; \
       P2P | COLL therefore counts the traffic of collectives twice */
#define MPI_M_OSC_ONLY                                                                         \
  4 /* one-sided: put and accumulate, a message from origin to target; get, one from target to \
       origin; an operation that does both, one each way */
#define MPI_M_ALL_COMM (MPI_M_P2P_ONLY | MPI_M_COLL_ONLY | MPI_M_OSC_ONLY)
/* Properties of a provider (MPI_M_get_info), in addition to the three kinds. */
#define MPI_M_SEES_DECOMPOSED 8 /* P2P includes the messages of MPI's own collectives */
#define MPI_M_SEES_MPIX 16      /* P2P includes the messages of mpix.h's collectives */
#define MPI_M_SEES_EXTERNAL 32  /* distinguishes the program's own messages from those of collectives (MPI_M_flush) */
#define MPI_M_SEES_RESULTS 64   /* OSC includes the data that gets return */

/* Pass these instead of a buffer for a result that you do not need. */
#define MPI_M_DATA_IGNORE ((unsigned long*)0)
#define MPI_M_INT_IGNORE ((int*)0)

/* Error codes. They are not MPI error classes; use MPI_M_error_string to get their meaning. */
#define MPI_M_MISSING_INIT 9001      /* before MPI_M_init, or after MPI_M_finalize */
#define MPI_M_MULTIPLE_INIT 9002     /* MPI_M_init called twice without MPI_M_finalize in between */
#define MPI_M_INVALID_MSID 9003      /* not a session of this process, or already freed */
#define MPI_M_SESSION_ACTIVE 9004    /* the session is active; the function requires a suspended one */
#define MPI_M_SESSION_SUSPENDED 9005 /* the session is already suspended */
#define MPI_M_SESSIONS_LEFT 9006     /* MPI_M_finalize before all sessions are freed */
#define MPI_M_INVALID_COMM 9007      /* null, or an intercommunicator */
#define MPI_M_INVALID_ARGUMENT 9008  /* a null pointer, an invalid root, or roots that differ among processes */
#define MPI_M_INVALID_FLAGS 9009     /* no kind, an unknown bit, or different flags on two processes */
#define MPI_M_NO_PROVIDER                                                                                    \
  9010                      /* no provider is available, or not the one that MPI_M_PROVIDER names; a line on \
                               stderr says how to get one */
#define MPI_M_NOT_SEEN 9011 /* the provider sees none of the requested kinds */
#define MPI_M_OVERFLOW 9012 /* a number exceeds unsigned long and is given as ULONG_MAX; the other data is valid */
#define MPI_M_FILE                                                                                                \
  9013                           /* a file could not be written: a line on stderr says which and why. An existing \
                                    file is unchanged, and the session keeps its data */
#define MPI_M_OTHER_PROCESS 9014 /* another process is in error */
#define MPI_M_INTERNAL 9015      /* MPI failed, or memory is exhausted */

/* Starts the monitoring environment. Call it between MPI_Init and MPI_Finalize; it may be called again after
 * MPI_M_finalize. Local. Errors: MULTIPLE_INIT, NO_PROVIDER; MISSING_INIT (MPI is not initialised). */
int MPI_M_init(void);
/* Ends the monitoring environment. Local. Errors: MISSING_INIT, SESSIONS_LEFT. */
int MPI_M_finalize(void);

/* Creates a session over the processes of `comm`. It is active when the call returns. `comm` may be freed
 * afterwards. Errors: MISSING_INIT, INVALID_COMM, INVALID_ARGUMENT. */
int MPI_M_start(MPI_Comm comm, MPI_M_msid* msid);
/* Stops counting. Local. Errors: MISSING_INIT, INVALID_MSID, SESSION_SUSPENDED. */
int MPI_M_suspend(MPI_M_msid msid);
/* Continues counting. Local. Errors: MISSING_INIT, INVALID_MSID, SESSION_ACTIVE. */
int MPI_M_continue(MPI_M_msid msid);
/* Sets the process's counts to zero. Local. Errors: MISSING_INIT, INVALID_MSID, SESSION_ACTIVE. */
int MPI_M_reset(MPI_M_msid msid);
/* Frees the session. Errors: MISSING_INIT, INVALID_MSID, SESSION_ACTIVE. */
int MPI_M_free(MPI_M_msid msid);

/* `provided`: the kinds that the provider sees, and its MPI_M_SEES_* properties. `array_size`: the number n of
 * processes. MPI_M_get_data writes n elements, the two gathers n * n. Either may be MPI_M_INT_IGNORE. Local; the
 * session may be active. Errors: MISSING_INIT, INVALID_MSID. */
int MPI_M_get_info(MPI_M_msid msid, int* provided, int* array_size);

/* The number of messages that the calling process has sent to each process, and their bytes of data (without
 * envelopes), by rank in the session's communicator. Flags may differ among processes. Errors: MISSING_INIT,
 * INVALID_MSID, SESSION_ACTIVE, INVALID_FLAGS, NOT_SEEN, OVERFLOW. */
int MPI_M_get_data(MPI_M_msid msid, unsigned long* msg_counts, unsigned long* msg_sizes, int flags);
/* The matrix of all messages, row-major: element i * n + j is what rank i has sent to rank j. `flags` must be the
 * same on all processes. Errors: as MPI_M_get_data. */
int MPI_M_allgather_data(MPI_M_msid msid, unsigned long* mat_counts, unsigned long* mat_sizes, int flags);
/* As MPI_M_allgather_data, but only rank `root` gets the matrix; the buffers of the others are ignored. Errors: as
 * MPI_M_get_data, and INVALID_ARGUMENT. */
int MPI_M_rootgather_data(MPI_M_msid msid, int root, unsigned long* mat_counts, unsigned long* mat_sizes, int flags);

/* Each process writes the messages that it has sent to the file FILENAME.RANK.prof. The format is that of Open MPI's
 * monitoring; profile2mat and aggregate_profile can read it. A line has these fields, separated by tabs: E (messages
 * of the program), I (messages of collectives), C (collectives as called) or S (one-sided); sender; receiver; "N
 * bytes"; "N msgs sent". File names may differ among processes. Errors: as MPI_M_get_data, and INVALID_ARGUMENT,
 * FILE. */
int MPI_M_flush(MPI_M_msid msid, const char* filename, int flags);
/* Rank `root` writes the matrices of all processes: FILENAME.prof, with lines as above; FILENAME_msg_all.mat and
 * FILENAME_size_all.mat, row-major dense text as profile2mat makes it, but not made symmetric (only for up to 4,096
 * processes, because they get huge); and FILENAME_msg.mtx and FILENAME_size.mtx, Matrix Market ("coordinate integer
 * general"; row: sender, column: receiver, from 1). Each file appears whole or not at all. Errors: as MPI_M_flush. */
int MPI_M_rootflush(MPI_M_msid msid, int root, const char* filename, int flags);

/* The meaning of an error code as a constant string; "unknown error" for any other number. Local; may be called at
 * any time. */
const char* MPI_M_error_string(int error);

#ifdef __cplusplus
}
#endif
#endif
