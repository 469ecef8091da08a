// SPDX-License-Identifier: LGPL-2.1-only
// What MPI allows and few programs do. The first argument says what it does; rank 0 prints "right":
//
//   freed-type       a type is freed while a receive with it waits
//   freed-receive    receives are freed before their messages arrive; for the last, in MPI_Finalize
//   tested-window    rank 1 tests for the end of rank 0's access to its window
//   duplicates       each rank duplicates MPI_COMM_SELF many times
//   no-memory        a window without memory has no base
//   own-window       a rank reads its own window very often while the other waits
//   file             a write and a read of a file that do not block
//   invalid-rank     a send to a rank that does not exist, which ends the program
//   leave N          rank 1 calls _exit(N)
//   leave-access N   the same, while rank 0 gets numbers from its window
//   fork-exec        a forked process runs another program
//   fork-mpi         a process that rank 1 has forked calls MPI
//   absent           rank 1 does not call MPI_Init for a long time
//   signal           rank 1 gets a signal before MPI_Init
#include <mpi.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

int rank, ranks;

void check(bool condition, const char* what) {
  if (condition) return;
  printf("rank %d: %s is wrong\n", rank, what);
  MPI_Abort(MPI_COMM_WORLD, 9);
}

// A short message, and one that waits for its receiver.
void freed_type() {
  for (const int rows : {10, 100'000}) {
    std::vector<int> numbers(static_cast<std::size_t>(rows) * 2);
    MPI_Datatype column;
    MPI_Type_vector(rows, 1, 2, MPI_INT, &column);
    MPI_Type_commit(&column);
    MPI_Request request;
    if (rank == 0) {
      MPI_Irecv(numbers.data(), 1, column, 1, 0, MPI_COMM_WORLD, &request);
      MPI_Type_free(&column);
      // Another type takes its place in memory.
      MPI_Type_vector(rows, 2, 2, MPI_INT, &column);
      MPI_Type_commit(&column);
      MPI_Barrier(MPI_COMM_WORLD);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      for (std::size_t i = 0; i < numbers.size(); ++i)
        check(numbers[i] == (i % 2 == 0 ? static_cast<int>(i) + 1 : 0), "a column");
    } else if (rank == 1) {
      for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<int>(i) + 1;
      MPI_Barrier(MPI_COMM_WORLD);
      MPI_Send(numbers.data(), 1, column, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Type_free(&column);
  }
}

void freed_receive() {
  static std::vector<int> numbers(1'000'000);
  static int first = 0;
  MPI_Request request;
  if (rank == 1) {
    MPI_Irecv(&first, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &request);
    MPI_Request_free(&request);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Probe(0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    // Its request is used again, for one of these.
    int values[10];
    MPI_Request each[10];
    for (int i = 0; i < 10; ++i) MPI_Irecv(&values[i], 1, MPI_INT, 0, 2, MPI_COMM_WORLD, &each[i]);
    MPI_Waitall(10, each, MPI_STATUSES_IGNORE);
    for (int i = 0; i < 10; ++i) check(values[i] == i, "a number");
    check(first == 7, "the message of a freed receive");
    MPI_Irecv(numbers.data(), static_cast<int>(numbers.size()), MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
    MPI_Request_free(&request);
    MPI_Barrier(MPI_COMM_WORLD);
  } else {
    const int seven = 7;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Send(&seven, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    for (int i = 0; i < 10; ++i) MPI_Send(&i, 1, MPI_INT, 1, 2, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Send(numbers.data(), static_cast<int>(numbers.size()), MPI_INT, 1, 0, MPI_COMM_WORLD);
  }
}

void tested_window() {
  int memory = 0;
  MPI_Win window;
  MPI_Group all, other;
  MPI_Win_create(&memory, sizeof memory, sizeof memory, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  const int partner = 1 - rank, value = 5;
  MPI_Group_incl(all, 1, &partner, &other);
  if (rank == 0) {
    MPI_Win_start(other, 0, window);
    MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
    MPI_Win_complete(window);
  } else if (rank == 1) {
    MPI_Win_post(other, 0, window);
    for (int flag = 0; !flag;) MPI_Win_test(window, &flag);
    check(memory == 5, "a put");
  }
  MPI_Group_free(&other);
  MPI_Group_free(&all);
  MPI_Win_free(&window);
}

void duplicates() {
  for (int i = 0; i < 100; ++i) {
    MPI_Comm duplicate;
    MPI_Comm_dup(MPI_COMM_SELF, &duplicate);
    MPI_Comm_free(&duplicate);
  }
}

void no_memory() {
  MPI_Win window;
  MPI_Win_create(nullptr, 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  void* base = &window;
  int flag = 0;
  MPI_Win_get_attr(window, MPI_WIN_BASE, &base, &flag);
  check(flag != 0 && base == nullptr, "the base of a window");
  MPI_Win_free(&window);
}

void own_window() {
  int value = 5, got = 0;
  MPI_Win window;
  MPI_Win_create(&value, sizeof value, sizeof value, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_lock_all(0, window);
  for (int i = 0; rank == 0 && i < 3000; ++i) {
    MPI_Get(&got, 1, MPI_INT, rank, 0, 1, MPI_INT, window);
    MPI_Win_flush_all(window);
  }
  check(rank != 0 || got == 5, "a get from the own window");
  MPI_Win_unlock_all(window);
  MPI_Win_free(&window);
}

void file(const char* name) {
  std::vector<int> out(1'000'000, rank + 1), in(out.size());
  const int count = static_cast<int>(out.size());
  const MPI_Offset at = static_cast<MPI_Offset>(rank) * count * static_cast<MPI_Offset>(sizeof(int));
  MPI_File file;
  MPI_Request request;
  MPI_Status status;
  MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
  MPI_File_iwrite_at(file, at, out.data(), count, MPI_INT, &request);
  MPI_Wait(&request, &status);
  int done = 0;
  MPI_Get_count(&status, MPI_INT, &done);
  check(done == count, "what was written");
  MPI_File_iread_at(file, at, in.data(), count, MPI_INT, &request);
  MPI_Wait(&request, &status);
  MPI_Get_count(&status, MPI_INT, &done);
  check(done == count && in == out, "what was read");
  MPI_File_close(&file);
}

void leave(int code) {
  if (rank == 1) _exit(code);
  MPI_Barrier(MPI_COMM_WORLD);
}

void leave_access(int code) {
  std::vector<int> memory(1000), got(1000);
  MPI_Win window;
  MPI_Win_create(memory.data(), 4000, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 1) _exit(code);
  for (;;) {
    MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, window);
    MPI_Get(got.data(), 1000, MPI_INT, 1, 0, 1000, MPI_INT, window);
    MPI_Win_unlock(1, window);
  }
}

void fork_exec() {
  const pid_t child = fork();
  if (child == 0) {
    execlp("true", "true", static_cast<char*>(nullptr));
    _exit(127);
  }
  int status = 1;
  waitpid(child, &status, 0);
  check(status == 0, "a program that a rank runs");
  MPI_Barrier(MPI_COMM_WORLD);
}

void fork_mpi() {
  const pid_t child = rank == 1 ? fork() : 1;
  if (child == 0) {
    MPI_Barrier(MPI_COMM_WORLD);
    _exit(0);
  }
  if (rank == 1) waitpid(child, nullptr, 0);
  MPI_Barrier(MPI_COMM_WORLD);
}

}  // namespace

int main(int argc, char** argv) {
  const char* const before = argc > 1 ? argv[1] : "";
  const char* const number = getenv("PMI_RANK");
  if (number != nullptr && strcmp(number, "1") == 0) {
    if (strcmp(before, "absent") == 0) sleep(600);
    if (strcmp(before, "signal") == 0) raise(SIGSEGV);
  }
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const char* const what = argc > 1 ? argv[1] : "";
  if (strcmp(what, "freed-type") == 0) freed_type();
  if (strcmp(what, "freed-receive") == 0) freed_receive();
  if (strcmp(what, "tested-window") == 0) tested_window();
  if (strcmp(what, "duplicates") == 0) duplicates();
  if (strcmp(what, "no-memory") == 0) no_memory();
  if (strcmp(what, "own-window") == 0) own_window();
  if (strcmp(what, "file") == 0) file(argv[2]);
  if (strcmp(what, "invalid-rank") == 0) MPI_Send(&rank, 1, MPI_INT, ranks, 0, MPI_COMM_WORLD);
  if (strcmp(what, "leave") == 0) leave(atoi(argv[2]));
  if (strcmp(what, "leave-access") == 0) leave_access(atoi(argv[2]));
  if (strcmp(what, "fork-exec") == 0) fork_exec();
  if (strcmp(what, "fork-mpi") == 0) fork_mpi();
  if (rank == 0) puts("right");
  MPI_Finalize();
  return 0;
}
