// SPDX-License-Identifier: LGPL-2.1-only
// Ranks that start others, and jobs that connect. The first argument says what the program does:
//
//   family N     all ranks start N children, and add up numbers with them
//   late         the child sleeps a second before it disconnects; the parent waits for it
//   programs     MPI_Comm_spawn_multiple: one child and then two, with other arguments
//   names        rank 0 publishes a port after half a second, rank 1 finds it only then, and they connect
//   crash        child 1 of 2 calls abort
//   missing      the program to start does not exist
//
// A child has "child" before that. Rank 0 prints the simulated time if a figure is of interest, and otherwise "right".
#include <mpi.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

int rank, ranks;
char* self;

void check(bool condition, const char* what) {
  if (condition) return;
  printf("rank %d: %s is wrong\n", rank, what);
  MPI_Abort(MPI_COMM_WORLD, 9);
}

MPI_Comm start(const char* what, int count) {
  char child[] = "child";
  char* arguments[] = {child, const_cast<char*>(what), nullptr};
  MPI_Comm children;
  MPI_Comm_spawn(self, arguments, count, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children, MPI_ERRCODES_IGNORE);
  return children;
}

// The parents' numbers are 1, 2, ...; those of the children go on.
void add_up(MPI_Comm between, bool is_child) {
  MPI_Comm all;
  MPI_Intercomm_merge(between, is_child ? 1 : 0, &all);
  int place = 0, size = 0, sum = 0;
  MPI_Comm_rank(all, &place);
  MPI_Comm_size(all, &size);
  ++place;
  MPI_Allreduce(&place, &sum, 1, MPI_INT, MPI_SUM, all);
  check(sum == size * (size + 1) / 2, "the sum");
  MPI_Comm_free(&all);
}

void family(int count) {
  MPI_Comm children = start("family", count);
  int size = 0;
  MPI_Comm_remote_size(children, &size);
  check(size == count, "the number of children");
  add_up(children, false);
  MPI_Comm_disconnect(&children);
  if (rank == 0) printf("%.15g\n", MPI_Wtime());
}

void late() {
  MPI_Comm child = start("late", 1);
  MPI_Comm_disconnect(&child);
  if (rank == 0) printf("%.6f\n", MPI_Wtime());
}

void programs() {
  char child[] = "child", what[] = "programs", second[] = "second";
  char* arguments[][4] = {{child, what, nullptr}, {child, what, second, nullptr}};
  char* commands[] = {self, self};
  char** all[] = {arguments[0], arguments[1]};
  const int counts[] = {1, 2};
  const MPI_Info infos[] = {MPI_INFO_NULL, MPI_INFO_NULL};
  MPI_Comm children;
  int codes[3];
  MPI_Comm_spawn_multiple(2, commands, all, counts, infos, 0, MPI_COMM_WORLD, &children, codes);
  add_up(children, false);
  MPI_Comm_disconnect(&children);
  if (rank == 0) puts("right");
}

void names() {
  char service[] = "service";
  char port[MPI_MAX_PORT_NAME];
  MPI_Comm other;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (rank == 0) {
    MPI_Open_port(MPI_INFO_NULL, port);
    usleep(500'000);
    check(MPI_Publish_name(service, MPI_INFO_NULL, port) == MPI_SUCCESS, "MPI_Publish_name");
    MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &other);
    int number = 0;
    MPI_Recv(&number, 1, MPI_INT, 0, 0, other, MPI_STATUS_IGNORE);
    check(number == 17, "the number");
    check(MPI_Unpublish_name(service, MPI_INFO_NULL, port) == MPI_SUCCESS, "MPI_Unpublish_name");
    MPI_Close_port(port);
    MPI_Comm_disconnect(&other);
    printf("%.6f\n", MPI_Wtime());
  } else {
    check(MPI_Lookup_name(service, MPI_INFO_NULL, port) != MPI_SUCCESS, "a name before it is published");
    sleep(1);
    check(MPI_Lookup_name(service, MPI_INFO_NULL, port) == MPI_SUCCESS, "MPI_Lookup_name");
    MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &other);
    const int number = 17;
    MPI_Send(&number, 1, MPI_INT, 0, 0, other);
    MPI_Comm_disconnect(&other);
  }
}

void crash() {
  MPI_Comm children = start("crash", 2);
  MPI_Barrier(children);
}

void missing() {
  MPI_Comm children;
  char none[] = "./no-such-program";
  MPI_Comm_spawn(none, MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children, MPI_ERRCODES_IGNORE);
}

void be_child(const char* what, const char* argument) {
  MPI_Comm parent;
  MPI_Comm_get_parent(&parent);
  check(parent != MPI_COMM_NULL, "MPI_Comm_get_parent");
  if (strcmp(what, "crash") == 0) {
    if (rank == 1) abort();
    MPI_Barrier(parent);
  }
  if (strcmp(what, "late") == 0) sleep(1);
  if (strcmp(what, "programs") == 0) {
    int *number = nullptr, known = 0;
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, &number, &known);
    check(ranks == 3 && known != 0 && *number == (rank == 0 ? 0 : 1), "MPI_APPNUM");
    check((strcmp(argument, "second") == 0) == (rank > 0), "the arguments");
  }
  if (strcmp(what, "late") != 0) add_up(parent, true);
  MPI_Comm_disconnect(&parent);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  self = argv[0];
  const char* const what = argc > 1 ? argv[1] : "";
  if (strcmp(what, "child") == 0) be_child(argv[2], argc > 3 ? argv[3] : "");
  if (strcmp(what, "family") == 0) family(atoi(argv[2]));
  if (strcmp(what, "late") == 0) late();
  if (strcmp(what, "programs") == 0) programs();
  if (strcmp(what, "names") == 0) names();
  if (strcmp(what, "crash") == 0) crash();
  if (strcmp(what, "missing") == 0) missing();
  MPI_Finalize();
  return 0;
}
