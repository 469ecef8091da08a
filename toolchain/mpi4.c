// SPDX-License-Identifier: LGPL-2.1-only
// libstrata_mpi.so, with which the wrappers link programs: functions that SMPI does not declare (mpi4_functions.txt),
// and the addresses of MPI_COMM_WORLD and MPI_COMM_SELF.
//
// strata_comm_world is an indirect function (STT_GNU_IFUNC): when the loader opens a program, it calls the resolver and
// takes its result for the symbol's address. The simulator opens a copy of the program in each rank, after it has made
// the communicators. So a program's `static MPI_Comm comm = MPI_COMM_WORLD;`, an address in its data, is right from the
// start, and is SMPI's own handle.
#define _GNU_SOURCE
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#pragma push_macro("weak")
#define weak unused
#include <smpi/smpi.h>
#pragma pop_macro("weak")

#include "toolchain/mpi4.h"

#undef MPI_COMM_WORLD
extern MPI_Comm MPI_COMM_WORLD;
extern char smpi_MPI_COMM_UNINITIALIZED[];
extern MPI_Comm smpi_process_comm_self(void);
extern void* sg_actor_self(void);
extern long sg_actor_get_pid(const void*);

// NULL outside a simulation: the loader opens a program that is about to start the launcher. SMPI's variable is NULL
// then, before SimGrid's constructors have run, or the address of this object.
static MPI_Comm world(void) { return (void*)MPI_COMM_WORLD == smpi_MPI_COMM_UNINITIALIZED ? NULL : MPI_COMM_WORLD; }

typedef void Function(void);  // a resolver returns its address
static Function* find_world(void) { return (Function*)world(); }
static Function* find_self(void) { return (Function*)(world() ? smpi_process_comm_self() : NULL); }
void strata_world_function(void) __asm__("strata_comm_world") __attribute__((ifunc("find_world")));
void strata_self_function(void) __asm__("strata_comm_self") __attribute__((ifunc("find_self")));

// Ends the simulation with exit code 3 and a line for the launcher (kRefused in records/exchange/exchanged_words.h), or for the
// user.
static void __attribute__((noreturn, format(printf, 1, 2))) fail(const char* format, ...) {
  char text[512];
  const long rank = sg_actor_self() ? sg_actor_get_pid(sg_actor_self()) - 1 : -1;
  int length = rank < 0 ? snprintf(text, sizeof text, "\n@strata refused the program ")
                        : snprintf(text, sizeof text, "\n@strata refused rank %ld ", rank);
  va_list arguments;
  va_start(arguments, format);
  length += vsnprintf(text + length, sizeof text - (size_t)length - 1, format, arguments);
  va_end(arguments);
  text[length++] = '\n';
  fflush(NULL);
  const char* const file = getenv("STRATA_REPORT");
  int to = file && *file ? open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666) : -1;
  if (to < 0) to = STDERR_FILENO;
  if (write(to, text, (size_t)length) < 0) perror("strata");
  _Exit(3);
}

static void __attribute__((noreturn)) refuse(const char* function) {
  fail("called %s, which the simulated MPI does not have", function);
}

// A count that SMPI can take.
static int count_of(MPI_Count count, const char* function) {
  if (count > INT_MAX || count < INT_MIN)
    fail("called %s with a count of %lld: the simulated MPI takes counts up to %d", function, (long long)count,
         INT_MAX);
  return (int)count;
}

static int* counts_of(const MPI_Count* counts, MPI_Count length, const char* function) {
  if (!counts) return NULL;  // not significant on this rank
  int* const result = malloc(((size_t)length + 1) * sizeof *result);
  if (!result) fail("has no memory left in %s", function);
  for (MPI_Count i = 0; i < length; ++i) result[i] = count_of(counts[i], function);
  return result;
}

static int* displacements_of(const MPI_Aint* displacements, MPI_Count length, const char* function) {
  if (!displacements) return NULL;
  int* const result = malloc(((size_t)length + 1) * sizeof *result);
  if (!result) fail("has no memory left in %s", function);
  for (MPI_Count i = 0; i < length; ++i) result[i] = count_of(displacements[i], function);
  return result;
}

static int is_rank(int root, MPI_Comm comm) {
  int rank = MPI_PROC_NULL;
  return comm != MPI_COMM_NULL && PMPI_Comm_rank(comm, &rank) == MPI_SUCCESS && rank == root;
}

#include "mpi4_functions.inc"

// MPI 4.0, Section 10: `buflen` is the size of `value` with its final null, and becomes the size that is needed.
int PMPI_Info_get_string(MPI_Info info, const char* key, int* buflen, char* value, int* flag) {
  int length = 0;
  int code = MPI_Info_get_valuelen(info, key, &length, flag);
  if (code != MPI_SUCCESS || !*flag) return code;
  char* const whole = malloc((size_t)length + 1);
  if (!whole) return MPI_ERR_NO_MEM;
  code = MPI_Info_get(info, key, length, whole, flag);
  if (code == MPI_SUCCESS && *buflen > 0) {
    const size_t copied = length < *buflen ? (size_t)length : (size_t)*buflen - 1;
    memcpy(value, whole, copied);
    value[copied] = 0;
  }
  free(whole);
  *buflen = length + 1;
  return code;
}

// It may be empty, and the simulator has nothing to put into it.
int PMPI_Info_create_env(int argc, char* argv[], MPI_Info* info) {
  (void)argc;
  (void)argv;
  return MPI_Info_create(info);
}

// The new communicator exists when MPI_Comm_idup returns, which waits for no other rank.
int PMPI_Comm_idup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm* newcomm, MPI_Request* request) {
  const int code = MPI_Comm_idup(comm, newcomm, request);
  return code == MPI_SUCCESS && info != MPI_INFO_NULL ? MPI_Comm_set_info(*newcomm, info) : code;
}

int PMPI_Get_count_c(const MPI_Status* status, MPI_Datatype datatype, MPI_Count* count) {
  int found = 0;
  const int code = MPI_Get_count((MPI_Status*)status, datatype, &found);
  *count = found;
  return code;
}

int PMPI_Get_elements_c(const MPI_Status* status, MPI_Datatype datatype, MPI_Count* count) {
  return MPI_Get_elements_x((MPI_Status*)status, datatype, count);
}

int PMPI_Status_set_elements_c(MPI_Status* status, MPI_Datatype datatype, MPI_Count count) {
  return MPI_Status_set_elements_x(status, datatype, count);
}

static MPI_Aint* addresses_of(const MPI_Count* counts, MPI_Count length, const char* function) {
  MPI_Aint* const result = malloc(((size_t)length + 1) * sizeof *result);
  if (!result) fail("has no memory left in %s", function);
  for (MPI_Count i = 0; i < length; ++i) result[i] = (MPI_Aint)counts[i];
  return result;
}

int PMPI_Type_create_hindexed_c(MPI_Count count, const MPI_Count lengths[], const MPI_Count at[], MPI_Datatype oldtype,
                                MPI_Datatype* newtype) {
  static const char name[] = "MPI_Type_create_hindexed_c";
  const int number = count_of(count, name);
  int* const int_lengths = counts_of(lengths, count, name);
  MPI_Aint* const addresses = addresses_of(at, count, name);
  const int code = MPI_Type_create_hindexed(number, int_lengths, addresses, oldtype, newtype);
  free(int_lengths);
  free(addresses);
  return code;
}

int PMPI_Type_create_hindexed_block_c(MPI_Count count, MPI_Count length, const MPI_Count at[], MPI_Datatype oldtype,
                                      MPI_Datatype* newtype) {
  static const char name[] = "MPI_Type_create_hindexed_block_c";
  const int number = count_of(count, name), int_length = count_of(length, name);
  MPI_Aint* const addresses = addresses_of(at, count, name);
  const int code = MPI_Type_create_hindexed_block(number, int_length, addresses, oldtype, newtype);
  free(addresses);
  return code;
}

int PMPI_Type_create_struct_c(MPI_Count count, const MPI_Count lengths[], const MPI_Count at[],
                              const MPI_Datatype types[], MPI_Datatype* newtype) {
  static const char name[] = "MPI_Type_create_struct_c";
  const int number = count_of(count, name);
  int* const int_lengths = counts_of(lengths, count, name);
  MPI_Aint* const addresses = addresses_of(at, count, name);
  const int code = MPI_Type_create_struct(number, int_lengths, addresses, types, newtype);
  free(int_lengths);
  free(addresses);
  return code;
}

int PMPI_Type_size_c(MPI_Datatype datatype, MPI_Count* size) { return MPI_Type_size_x(datatype, size); }

int PMPI_Type_get_extent_c(MPI_Datatype datatype, MPI_Count* lb, MPI_Count* extent) {
  MPI_Aint begin = 0, length = 0;
  const int code = MPI_Type_get_extent(datatype, &begin, &length);
  *lb = begin;
  *extent = length;
  return code;
}

int PMPI_Type_get_true_extent_c(MPI_Datatype datatype, MPI_Count* lb, MPI_Count* extent) {
  MPI_Aint begin = 0, length = 0;
  const int code = MPI_Type_get_true_extent(datatype, &begin, &length);
  *lb = begin;
  *extent = length;
  return code;
}

int PMPI_Pack_size_c(MPI_Count incount, MPI_Datatype datatype, MPI_Comm comm, MPI_Count* size) {
  int found = 0;
  const int code = MPI_Pack_size(count_of(incount, "MPI_Pack_size_c"), datatype, comm, &found);
  *size = found;
  return code;
}

int PMPI_Pack_c(const void* inbuf, MPI_Count incount, MPI_Datatype datatype, void* outbuf, MPI_Count outsize,
                MPI_Count* position, MPI_Comm comm) {
  const char* const name = "MPI_Pack_c";
  int at = count_of(*position, name);
  const int code = MPI_Pack(inbuf, count_of(incount, name), datatype, outbuf, count_of(outsize, name), &at, comm);
  *position = at;
  return code;
}

int PMPI_Unpack_c(const void* inbuf, MPI_Count insize, MPI_Count* position, void* outbuf, MPI_Count outcount,
                  MPI_Datatype datatype, MPI_Comm comm) {
  const char* const name = "MPI_Unpack_c";
  int at = count_of(*position, name);
  const int code = MPI_Unpack(inbuf, count_of(insize, name), &at, outbuf, count_of(outcount, name), datatype, comm);
  *position = at;
  return code;
}

// The tools interface. An MPI may have no variables (MPI 4.0, Section 14.3).

int PMPI_T_init_thread(int required, int* provided) {
  *provided = required < MPI_THREAD_FUNNELED ? required : MPI_THREAD_FUNNELED;
  return MPI_SUCCESS;
}
int PMPI_T_finalize(void) { return MPI_SUCCESS; }

static int none(int* number) {
  *number = 0;
  return MPI_SUCCESS;
}
int PMPI_T_cvar_get_num(int* number) { return none(number); }
int PMPI_T_pvar_get_num(int* number) { return none(number); }
int PMPI_T_category_get_num(int* number) { return none(number); }
int PMPI_T_category_changed(int* number) { return none(number); }

int PMPI_T_pvar_session_create(MPI_T_pvar_session* session) {
  *session = malloc(1);
  return *session ? MPI_SUCCESS : MPI_T_ERR_OUT_OF_SESSIONS;
}
int PMPI_T_pvar_session_free(MPI_T_pvar_session* session) {
  free(*session);
  *session = MPI_T_PVAR_SESSION_NULL;
  return MPI_SUCCESS;
}

#define NO_SUCH(name, parameters, code) \
  int PMPI_T_##name parameters { return code; }
#pragma GCC diagnostic ignored "-Wunused-parameter"
NO_SUCH(cvar_get_info,
        (int index, char* name, int* name_len, int* verbosity, MPI_Datatype* datatype, MPI_T_enum* enumtype, char* desc,
         int* desc_len, int* bind, int* scope),
        MPI_T_ERR_INVALID_INDEX)
NO_SUCH(cvar_get_index, (const char* name, int* index), MPI_T_ERR_INVALID_NAME)
NO_SUCH(cvar_handle_alloc, (int index, void* object, MPI_T_cvar_handle* handle, int* count), MPI_T_ERR_INVALID_INDEX)
NO_SUCH(cvar_handle_free, (MPI_T_cvar_handle * handle), MPI_T_ERR_INVALID_HANDLE)
NO_SUCH(cvar_read, (MPI_T_cvar_handle handle, void* buf), MPI_T_ERR_INVALID_HANDLE)
NO_SUCH(cvar_write, (MPI_T_cvar_handle handle, const void* buf), MPI_T_ERR_INVALID_HANDLE)
NO_SUCH(pvar_get_info,
        (int index, char* name, int* name_len, int* verbosity, int* var_class, MPI_Datatype* datatype,
         MPI_T_enum* enumtype, char* desc, int* desc_len, int* bind, int* readonly, int* continuous, int* atomic),
        MPI_T_ERR_INVALID_INDEX)
NO_SUCH(pvar_get_index, (const char* name, int var_class, int* index), MPI_T_ERR_INVALID_NAME)
NO_SUCH(pvar_handle_alloc, (MPI_T_pvar_session session, int index, void* object, MPI_T_pvar_handle* handle, int* count),
        MPI_T_ERR_INVALID_INDEX)
NO_SUCH(pvar_handle_free, (MPI_T_pvar_session session, MPI_T_pvar_handle* handle), MPI_T_ERR_INVALID_HANDLE)
// A session has no variables, so all of them are started.
NO_SUCH(pvar_start, (MPI_T_pvar_session session, MPI_T_pvar_handle handle),
        handle == MPI_T_PVAR_ALL_HANDLES ? MPI_SUCCESS : MPI_T_ERR_INVALID_HANDLE)
NO_SUCH(pvar_stop, (MPI_T_pvar_session session, MPI_T_pvar_handle handle),
        handle == MPI_T_PVAR_ALL_HANDLES ? MPI_SUCCESS : MPI_T_ERR_INVALID_HANDLE)
NO_SUCH(pvar_reset, (MPI_T_pvar_session session, MPI_T_pvar_handle handle),
        handle == MPI_T_PVAR_ALL_HANDLES ? MPI_SUCCESS : MPI_T_ERR_INVALID_HANDLE)
NO_SUCH(pvar_read, (MPI_T_pvar_session session, MPI_T_pvar_handle handle, void* buf), MPI_T_ERR_INVALID_HANDLE)
NO_SUCH(pvar_write, (MPI_T_pvar_session session, MPI_T_pvar_handle handle, const void* buf), MPI_T_ERR_INVALID_HANDLE)
NO_SUCH(pvar_readreset, (MPI_T_pvar_session session, MPI_T_pvar_handle handle, void* buf), MPI_T_ERR_INVALID_HANDLE)
NO_SUCH(enum_get_info, (MPI_T_enum enumtype, int* num, char* name, int* name_len), MPI_T_ERR_INVALID_ITEM)
NO_SUCH(enum_get_item, (MPI_T_enum enumtype, int index, int* value, char* name, int* name_len), MPI_T_ERR_INVALID_ITEM)
NO_SUCH(category_get_info,
        (int index, char* name, int* name_len, char* desc, int* desc_len, int* cvars, int* pvars, int* categories),
        MPI_T_ERR_INVALID_INDEX)
NO_SUCH(category_get_index, (const char* name, int* index), MPI_T_ERR_INVALID_NAME)
NO_SUCH(category_get_cvars, (int index, int len, int indices[]), MPI_T_ERR_INVALID_INDEX)
NO_SUCH(category_get_pvars, (int index, int len, int indices[]), MPI_T_ERR_INVALID_INDEX)
NO_SUCH(category_get_categories, (int index, int len, int indices[]), MPI_T_ERR_INVALID_INDEX)
