/* SPDX-License-Identifier: LGPL-2.1-only
 * Included by the mpi.h of `strata mpi`, after SMPI's: the types and constants of MPI 3.1 and 4.0 that SMPI's header
 * lacks, and constants that are constant expressions. MPI_VERSION stays 3. */
#ifndef STRATA_MPI4_H
#define STRATA_MPI4_H

#include <simgrid/version.h>

#ifdef __cplusplus
extern "C" {
#else
/* In SMPI's header these are a variable and a function, which C does not allow as `static MPI_Comm comm =
 * MPI_COMM_WORLD`. The symbols' addresses are the communicators: libstrata_mpi.so finds them when the program is
 * loaded. */
extern char strata_comm_world[], strata_comm_self[];
#undef MPI_COMM_WORLD
#undef MPI_COMM_SELF
#define MPI_COMM_WORLD ((MPI_Comm)(void*)strata_comm_world)
#define MPI_COMM_SELF ((MPI_Comm)(void*)strata_comm_self)
#endif

/* In SMPI's header the first is 3, which is also a length of blocks, and the second a null pointer. The library of
 * supplied functions knows these values (mpi_ext/preload/supply/own_constants.h). */
#undef MPI_DISTRIBUTE_DFLT_DARG
#define MPI_DISTRIBUTE_DFLT_DARG (-1)
#undef MPI_UNWEIGHTED
#define MPI_UNWEIGHTED ((int*)2)

typedef struct strata_mpi_session* MPI_Session;
#define MPI_SESSION_NULL ((MPI_Session)0)
typedef void MPI_Session_errhandler_function(MPI_Session*, int*, ...);
typedef void MPI_User_function_c(void* invec, void* inoutvec, MPI_Count* len, MPI_Datatype* datatype);
#define MPI_MAX_PSET_NAME_LEN 100
#define MPI_MAX_STRINGTAG_LEN 100
#define MPI_ERR_VALUE_TOO_LARGE MPI_ERR_OTHER
#define MPI_ERR_SESSION MPI_ERR_OTHER
#define MPI_ERR_PROC_ABORTED MPI_ERR_OTHER
#ifndef MPI_ERRORS_ABORT
#define MPI_ERRORS_ABORT MPI_ERRORS_ARE_FATAL
#endif

typedef struct strata_mpi_t_enum* MPI_T_enum;
typedef struct strata_mpi_t_cvar_handle* MPI_T_cvar_handle;
typedef struct strata_mpi_t_pvar_handle* MPI_T_pvar_handle;
typedef struct strata_mpi_t_pvar_session* MPI_T_pvar_session;
#define MPI_T_ENUM_NULL ((MPI_T_enum)0)
#define MPI_T_CVAR_HANDLE_NULL ((MPI_T_cvar_handle)0)
#define MPI_T_PVAR_HANDLE_NULL ((MPI_T_pvar_handle)0)
#define MPI_T_PVAR_SESSION_NULL ((MPI_T_pvar_session)0)
#define MPI_T_PVAR_ALL_HANDLES ((MPI_T_pvar_handle)-1)
#define MPI_T_ERR_INVALID_NAME MPI_T_ERR_INVALID_INDEX
enum {
  MPI_T_VERBOSITY_USER_BASIC,
  MPI_T_VERBOSITY_USER_DETAIL,
  MPI_T_VERBOSITY_USER_ALL,
  MPI_T_VERBOSITY_TUNER_BASIC,
  MPI_T_VERBOSITY_TUNER_DETAIL,
  MPI_T_VERBOSITY_TUNER_ALL,
  MPI_T_VERBOSITY_MPIDEV_BASIC,
  MPI_T_VERBOSITY_MPIDEV_DETAIL,
  MPI_T_VERBOSITY_MPIDEV_ALL
};
enum {
  MPI_T_BIND_NO_OBJECT,
  MPI_T_BIND_MPI_COMM,
  MPI_T_BIND_MPI_DATATYPE,
  MPI_T_BIND_MPI_ERRHANDLER,
  MPI_T_BIND_MPI_FILE,
  MPI_T_BIND_MPI_GROUP,
  MPI_T_BIND_MPI_OP,
  MPI_T_BIND_MPI_REQUEST,
  MPI_T_BIND_MPI_WIN,
  MPI_T_BIND_MPI_MESSAGE,
  MPI_T_BIND_MPI_INFO,
  MPI_T_BIND_MPI_SESSION
};
enum {
  MPI_T_SCOPE_CONSTANT,
  MPI_T_SCOPE_READONLY,
  MPI_T_SCOPE_LOCAL,
  MPI_T_SCOPE_GROUP,
  MPI_T_SCOPE_GROUP_EQ,
  MPI_T_SCOPE_ALL,
  MPI_T_SCOPE_ALL_EQ
};
enum {
  MPI_T_PVAR_CLASS_STATE,
  MPI_T_PVAR_CLASS_LEVEL,
  MPI_T_PVAR_CLASS_SIZE,
  MPI_T_PVAR_CLASS_PERCENTAGE,
  MPI_T_PVAR_CLASS_HIGHWATERMARK,
  MPI_T_PVAR_CLASS_LOWWATERMARK,
  MPI_T_PVAR_CLASS_COUNTER,
  MPI_T_PVAR_CLASS_AGGREGATE,
  MPI_T_PVAR_CLASS_TIMER,
  MPI_T_PVAR_CLASS_GENERIC
};

/* SimGrid 4.0 declares MPI_Pready_list, with partitions that are not const. */
#if SIMGRID_VERSION_MAJOR >= 4
#define STRATA_CONST_PARTITIONS
#else
#define STRATA_CONST_PARTITIONS const
#endif

#include "strata_mpi4.h"

#ifdef __cplusplus
}
#endif

#endif
