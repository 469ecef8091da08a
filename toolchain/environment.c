// SPDX-License-Identifier: LGPL-2.1-only
// Environment variables and the host's name, of the rank. All ranks share one process, but programs choose devices and
// files by variables such as OMPI_COMM_WORLD_LOCAL_RANK, which a real launcher sets differently for each rank, and by
// the name of their host. A variable that a rank sets is not seen by the others.
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "toolchain/place.h"
#include "toolchain/rank.h"

// The variable that programs read is the one of their own object. Functions here keep it up to date.
STRATA_HERE char** environ;

// Each rank has its own copy of the program, and so of this variable. Threads of the rank use it too.
static struct strata_place* own;

static struct strata_place* place(void) {
  if (!own && strata_place_of && strata_in_rank()) own = strata_place_of(sg_actor_get_pid(sg_actor_self()));
  return own;
}

static void follow(void) {
  char*** const systems = (char***)dlsym(RTLD_NEXT, "environ");
  environ = place() ? own->environment : systems ? *systems : NULL;
}

// Before the constructors of the program.
__attribute__((constructor(101))) static void begin(void) { follow(); }

// The entry "NAME=..." of the rank; NULL: it does not exist.
static char** entry(const char* name, size_t length) {
  for (char** at = own->environment; *at; ++at) {
    if (strncmp(*at, name, length) == 0 && (*at)[length] == '=') return at;
  }
  return NULL;
}

static char* value(const char* name) {
  char** const at = entry(name, strlen(name));
  return at ? *at + strlen(name) + 1 : NULL;
}

// Adds "NAME=VALUE", or replaces the entry of that name. The old list is kept, because the program may still use it.
static int put(char* text, size_t length) {
  char** const at = entry(text, length);
  if (at) {
    *at = text;
    return 0;
  }
  size_t count = 0;
  while (own->environment[count]) ++count;
  char** const list = malloc((count + 2) * sizeof *list);
  if (!list) return -1;
  memcpy(list, own->environment, count * sizeof *list);
  list[count] = text;
  list[count + 1] = NULL;
  own->environment = environ = list;
  return 0;
}

static bool is_name(const char* name) { return name && *name && !strchr(name, '='); }

STRATA_HERE char* getenv(const char* name) {
  return place() ? value(name) : STRATA_REAL(char* (*)(const char*), "getenv")(name);
}

STRATA_HERE char* secure_getenv(const char* name) {
  return place() ? value(name) : STRATA_REAL(char* (*)(const char*), "secure_getenv")(name);
}

STRATA_HERE int setenv(const char* name, const char* text, int overwrite) {
  if (!place()) {
    const int result = STRATA_REAL(int (*)(const char*, const char*, int), "setenv")(name, text, overwrite);
    follow();
    return result;
  }
  if (!is_name(name)) {
    errno = EINVAL;
    return -1;
  }
  const size_t length = strlen(name), size = strlen(text) + 1;
  if (!overwrite && entry(name, length)) return 0;
  char* const whole = malloc(length + 1 + size);
  if (!whole) return -1;
  memcpy(whole, name, length);
  whole[length] = '=';
  memcpy(whole + length + 1, text, size);
  return put(whole, length);
}

STRATA_HERE int unsetenv(const char* name) {
  if (!place()) {
    const int result = STRATA_REAL(int (*)(const char*), "unsetenv")(name);
    follow();
    return result;
  }
  if (!is_name(name)) {
    errno = EINVAL;
    return -1;
  }
  for (char** at; (at = entry(name, strlen(name)));) {
    do at[0] = at[1];
    while (*at++);
  }
  return 0;
}

STRATA_HERE int putenv(char* text) {
  if (!place()) {
    const int result = STRATA_REAL(int (*)(char*), "putenv")(text);
    follow();
    return result;
  }
  const char* const equals = strchr(text, '=');
  return equals ? put(text, (size_t)(equals - text)) : unsetenv(text);
}

STRATA_HERE int clearenv(void) {
  if (!place()) {
    const int result = STRATA_REAL(int (*)(void), "clearenv")();
    follow();
    return result;
  }
  char** const list = calloc(1, sizeof *list);
  if (!list) return -1;
  own->environment = environ = list;
  return 0;
}

// Programs that a rank starts. Functions without an argument for the environment read the C library's variable, so this
// one is the rank's while they run: no other rank runs meanwhile.

static char** lend(void) {
  char*** const systems = place() ? (char***)dlsym(RTLD_NEXT, "environ") : NULL;
  char** const before = systems ? *systems : NULL;
  if (systems) *systems = own->environment;
  return before;
}

static void give_back(char** before) {
  char*** const systems = before ? (char***)dlsym(RTLD_NEXT, "environ") : NULL;
  if (systems) *systems = before;
}

#define LENT(type, call)        \
  char** const before = lend(); \
  type const result = (call);   \
  const int error = errno;      \
  give_back(before);            \
  errno = error;                \
  return result

STRATA_HERE int system(const char* command) { LENT(int, STRATA_REAL(int (*)(const char*), "system")(command)); }

STRATA_HERE FILE* popen(const char* command, const char* mode) {
  LENT(FILE*, STRATA_REAL(FILE * (*)(const char*, const char*), "popen")(command, mode));
}

STRATA_HERE int execv(const char* file, char* const words[]) {
  return execve(file, words, place() ? own->environment : environ);
}

STRATA_HERE int execvp(const char* file, char* const words[]) {
  return execvpe(file, words, place() ? own->environment : environ);
}

// The words of execl, up to the null pointer.
static char** words_of(const char* first, va_list rest) {
  size_t count = 1;
  va_list counted;
  va_copy(counted, rest);
  while (va_arg(counted, char*)) ++count;
  va_end(counted);
  char** const words = calloc(count + 1, sizeof *words);
  if (!words) return NULL;
  words[0] = (char*)first;
  for (size_t i = 1; i < count; ++i) words[i] = va_arg(rest, char*);
  return words;
}

#define EXEC_LIST(name, vector)                                    \
  STRATA_HERE int name(const char* file, const char* first, ...) { \
    va_list rest;                                                  \
    va_start(rest, first);                                         \
    char** const words = words_of(first, rest);                    \
    va_end(rest);                                                  \
    if (words) vector(file, words);                                \
    const int error = errno;                                       \
    free(words);                                                   \
    errno = error;                                                 \
    return -1;                                                     \
  }
EXEC_LIST(execl, execv)
EXEC_LIST(execlp, execvp)

STRATA_HERE int gethostname(char* name, size_t size) {
  if (!place()) return STRATA_REAL(int (*)(char*, size_t), "gethostname")(name, size);
  if (strlen(own->node) >= size) {
    errno = ENAMETOOLONG;
    return -1;
  }
  strcpy(name, own->node);
  return 0;
}

STRATA_HERE int uname(struct utsname* system) {
  const int result = STRATA_REAL(int (*)(struct utsname*), "uname")(system);
  if (result != 0 || !place()) return result;
  strncpy(system->nodename, own->node, sizeof system->nodename - 1);
  system->nodename[sizeof system->nodename - 1] = 0;
  return result;
}

// Fortran. Texts are padded with blanks. The status as in libgfortran.

enum { kFound = 0, kTooShort = -1, kNotThere = 1 };

static int64_t pad(char* to, size_t size, const char* text) {
  const size_t length = strlen(text), copied = length < size ? length : size;
  memcpy(to, text, copied);
  memset(to + copied, ' ', size - copied);
  return (int64_t)length;
}

// The length of the value; 0 if it does not exist.
static int64_t fortran_variable(const char* name, size_t length, bool trim, char* to, size_t size, int* status) {
  while (trim && length > 0 && name[length - 1] == ' ') --length;
  char* const copy = strndup(name, length);
  const char* const found = copy ? getenv(copy) : NULL;
  free(copy);
  const int64_t result = found ? (int64_t)strlen(found) : 0;
  *status = !found ? kNotThere : to && (size_t)result > size ? kTooShort : kFound;
  if (to) pad(to, size, found ? found : "");
  return result;
}

#define ENVIRONMENT_VARIABLE(kind, type)                                                                        \
  STRATA_HERE void _gfortran_get_environment_variable_i##kind(char* name, char* to, type* length, type* status, \
                                                              type* trim, size_t name_size, size_t size) {      \
    int how = kFound;                                                                                           \
    const int64_t found = fortran_variable(name, name_size, !trim || *trim, to, to ? size : 0, &how);           \
    if (length) *length = (type)found;                                                                          \
    if (status) *status = (type)how;                                                                            \
  }
ENVIRONMENT_VARIABLE(4, int32_t)
ENVIRONMENT_VARIABLE(8, int64_t)

STRATA_HERE void _gfortran_getenv(char* name, char* to, size_t name_size, size_t size) {
  int ignored = 0;
  fortran_variable(name, name_size, true, to, size, &ignored);
}

static int fortran_host(char* to, size_t size) {
  char name[256];
  if (gethostname(name, sizeof name) != 0) return errno;
  pad(to, size, name);
  return 0;
}

STRATA_HERE int32_t _gfortran_hostnm(char* to, size_t size) { return fortran_host(to, size); }
STRATA_HERE void _gfortran_hostnm_i4_sub(char* to, int32_t* status, size_t size) {
  const int result = fortran_host(to, size);
  if (status) *status = result;
}
STRATA_HERE void _gfortran_hostnm_i8_sub(char* to, int64_t* status, size_t size) {
  const int result = fortran_host(to, size);
  if (status) *status = result;
}

#define EXECUTE_COMMAND_LINE(kind, type)                                                                             \
  STRATA_HERE void _gfortran_execute_command_line_i##kind(const char* command, type* wait, type* exit, type* status, \
                                                          char* message, size_t size, size_t message_size) {         \
    char** const before = lend();                                                                                    \
    STRATA_REAL(void (*)(const char*, type*, type*, type*, char*, size_t, size_t),                                   \
                "_gfortran_execute_command_line_i" #kind)                                                            \
    (command, wait, exit, status, message, size, message_size);                                                      \
    give_back(before);                                                                                               \
  }
EXECUTE_COMMAND_LINE(4, int32_t)
EXECUTE_COMMAND_LINE(8, int64_t)

STRATA_HERE int _gfortran_system(const char* command, size_t size) {
  LENT(int, STRATA_REAL(int (*)(const char*, size_t), "_gfortran_system")(command, size));
}
STRATA_HERE void _gfortran_system_sub(const char* command, int* status, size_t size) {
  char** const before = lend();
  STRATA_REAL(void (*)(const char*, int*, size_t), "_gfortran_system_sub")(command, status, size);
  give_back(before);
}

STRATA_HIDDEN const char strata_environment = 0;
