// SPDX-License-Identifier: LGPL-2.1-only
// Linked into every program that the wrappers build. Such a program is two things at once:
//
// - An executable, because `./configure` and CMake run the programs that they compile. A program that does not use MPI
//   runs as usual. An MPI program becomes a simulation of one rank, just as a program started without mpirun is a
//   single process with any MPI.
// - A shared object that the simulator loads once per rank.
//
// The linker makes a shared object (-shared), with strata_start as entry point, and .interp names the loader.
#define _GNU_SOURCE
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "toolchain/end.h"
#include "toolchain/rank.h"

#if defined(__x86_64__)
static const char loader[] __attribute__((section(".interp"), used, retain)) = "/lib64/ld-linux-x86-64.so.2";
// Passes the kernel's stack and rdx (the function to call at exit) on to _start unchanged.
__asm__(
    ".text\n"
    ".globl strata_start\n"
    ".hidden strata_start\n"
    ".type strata_start, @function\n"
    ".weak _start\n"
    ".hidden _start\n"
    "strata_start:\n"
    "  xor %ebp, %ebp\n"
    "  mov %rsp, %rbx\n"
    "  mov %rdx, %r12\n"
    "  mov %rsp, %rdi\n"
    "  and $-16, %rsp\n"
    "  call strata_begin\n"
    "  mov %rbx, %rsp\n"
    "  mov %r12, %rdx\n"
    "  jmp _start\n"
    ".size strata_start, .-strata_start\n");
#elif defined(__aarch64__)
static const char loader[] __attribute__((section(".interp"), used, retain)) = "/lib/ld-linux-aarch64.so.1";
__asm__(
    ".text\n"
    ".globl strata_start\n"
    ".hidden strata_start\n"
    ".type strata_start, %function\n"
    ".weak _start\n"
    ".hidden _start\n"
    "strata_start:\n"
    "  mov x19, x0\n"
    "  mov x0, sp\n"
    "  bl strata_begin\n"
    "  mov x0, x19\n"
    "  b _start\n"
    ".size strata_start, .-strata_start\n");
#else
#error "only x86-64 and arm64 are known here: an interpreter and an entry point"
#endif

// `strata mpi` replaces this by the path of the prefix (toolchain/prefix.cc).
#define PREFIX_MARK "@strata-prefix@"
static const char prefix_of_build[PATH_MAX] __attribute__((used, section(".strata_prefix"))) = PREFIX_MARK;

static const char* prefix(void) {
  const char* text = prefix_of_build;
  __asm__("" : "+r"(text));  // hides the value from the compiler
  return text;
}

// If a program uses none of these functions, libsimgrid is not even loaded (--as-needed).
extern int MPI_Init(int*, char***) STRATA_SIMGRID;
extern int MPI_Init_thread(int*, char***, int, int*) STRATA_SIMGRID;
extern void mpi_init_(int*) STRATA_SIMGRID;
extern void mpi_init_thread_(int*, int*, int*) STRATA_SIMGRID;

// Set to this process's ID, which exec keeps, before starting the launcher. It detects a launcher that starts the
// program again instead of loading it, which would otherwise loop forever.
#define STARTED_BY "STRATA_STARTED_BY"

static void die(const char* text, const char* name) {
  fprintf(stderr, "strata: %s: %s\n", name, text);
  _exit(2);
}

STRATA_HIDDEN void strata_begin(long* stack) {
  if (!MPI_Init && !MPI_Init_thread && !mpi_init_ && !mpi_init_thread_) return;
  const int argc = (int)stack[0];
  char** argv = (char**)(stack + 1);
  char program[PATH_MAX] = "", launcher[PATH_MAX + 16], process[24];
  const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  if (length <= 0) die("cannot read /proc/self/exe", argv[0]);
  snprintf(process, sizeof process, "%ld", (long)getpid());
  const char* started_by = getenv(STARTED_BY);
  if (started_by && strcmp(started_by, process) == 0)
    die("the simulator started this program instead of loading it", program);
  setenv(STARTED_BY, process, 1);
  snprintf(launcher, sizeof launcher, "%s/bin/mpirun", prefix());
  char** words = calloc((size_t)argc + 5, sizeof *words);
  if (!words) die("out of memory", program);
  int n = 0;
  words[n++] = launcher;
  words[n++] = (char*)"-n";
  words[n++] = (char*)"1";
  words[n++] = program;
  for (int i = 1; i < argc; ++i) words[n++] = argv[i];
  execv(launcher, words);
  fprintf(stderr, "strata: %s: an MPI program needs a launcher, and %s is not there; run strata mpi again\n", program,
          launcher);
  _exit(2);
}

// In the simulator. SMPI calls user_main_ if it exists, and otherwise main, which may be hidden (-fvisibility=hidden).

extern int main(int argc, char** argv, char** environment) __attribute__((weak, visibility("hidden")));
extern char** environ;

extern void strata_announce_constants(void);  // constants.c

// The loader passes the process's arguments to constructors: smpimain PROGRAM OPTIONS PLATFORM ARGUMENTS. SimGrid has
// removed its own options by then.
static int simulator_argc;
static char** simulator_argv;
__attribute__((constructor)) static void keep_arguments(int argc, char** argv) {
  simulator_argc = argc;
  simulator_argv = argv;
  strata_announce_constants();
}

// The process's original command line, as consecutive strings. Never freed, because a program may keep its arguments.
static char* command_line(size_t* length) {
  const int file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
  if (file < 0) return NULL;
  size_t room = 4096, have = 0;
  char* text = malloc(room);
  ssize_t got = 0;
  while (text && (got = read(file, text + have, room - have)) > 0) {
    have += (size_t)got;
    if (have < room) continue;
    char* more = realloc(text, room *= 2);
    if (!more) free(text);
    text = more;
  }
  close(file);
  *length = have;
  return text;
}

// SimGrid removes its own options, such as --help, and every "--" from a program's arguments. Here they are read
// unchanged from the command line, if a "--" follows the platform.
static int given_arguments(char*** result) {
  size_t length = 0, words = 0;
  char* text = command_line(&length);
  for (size_t at = 0; text && at < length; ++at) words += text[at] == 0;
  char** argv = *result = calloc(words + (size_t)simulator_argc + 1, sizeof *argv);
  if (!argv) die("out of memory", "a rank");
  enum { kSimulator, kProgram, kOptions, kPlatform, kArguments } state = kSimulator;
  int argc = 0;
  for (size_t at = 0; text && at < length; at += strlen(text + at) + 1) {
    char* word = text + at;
    switch (state) {
      case kSimulator:
        state = kProgram;
        break;
      case kProgram:
        argv[argc++] = word;
        state = kOptions;
        break;
      case kOptions:
        if (strncmp(word, "--", 2) != 0) state = kPlatform;
        break;
      case kPlatform:
        if (strcmp(word, "--") != 0) return 0;
        state = kArguments;
        break;
      case kArguments:
        argv[argc++] = word;
    }
  }
  return state == kArguments ? argc : 0;
}

__attribute__((visibility("default"))) void user_main_(void) {
  if (!main) die("has no main program", simulator_argv[1]);
  char** argv = NULL;
  int argc = given_arguments(&argv);
  if (argc == 0) {
    argv[argc++] = simulator_argv[1];
    for (int i = 3; i < simulator_argc && simulator_argv[i]; ++i) argv[argc++] = simulator_argv[i];
  }
  strata_run_rank(main, argc, argv, environ);
}

// Ensures that the other parts of the library are linked as well.
extern const char strata_clock, strata_end, strata_environment, strata_options;
static const char* const parts[]
    __attribute__((used)) = {&strata_clock, &strata_end, &strata_environment, &strata_options};
