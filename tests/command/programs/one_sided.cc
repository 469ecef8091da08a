// SPDX-License-Identifier: LGPL-2.1-only
// Random one-sided communication: one_sided WAY SEED ROUNDS. The ways are MPI's kinds of epochs: fence, post
// (MPI_Win_post etc.), lock (exclusive), shared (MPI_Win_lock_all with flushes), requests (MPI_Rput etc.) and atomic
// (MPI_Fetch_and_op, MPI_Compare_and_swap). `mixed` uses them one after the other. Ranks compute for random times in
// between. Half of the windows belong to a subset of the ranks.
#include <mpi.h>
#include <smpi/smpi.h>

#include <cstdlib>
#include <iterator>
#include <random>
#include <string>
#include <vector>

namespace {

constexpr int kElements = 20000;  // doubles in a window: some transfers exceed every machine's eager limit

class Program {
 public:
  Program(MPI_Comm comm, unsigned seed) : comm_(comm) {
    MPI_Comm_rank(comm, &rank_);
    MPI_Comm_size(comm, &size_);
    own_.seed(seed * 1000 + static_cast<unsigned>(rank_));
    memory_.resize(kElements);
    buffer_.resize(kElements);
    MPI_Win_create(memory_.data(), kElements * sizeof(double), sizeof(double), MPI_INFO_NULL, comm, &window_);
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program() { MPI_Win_free(&window_); }

  void round(const std::string& way) {
    if (drawn(3) == 0) smpi_execute_flops(1e4 * drawn(100));
    if (way == "fence") fence();
    if (way == "post") post();
    if (way == "lock") lock();
    if (way == "shared") shared();
    if (way == "requests") requests();
    if (way == "atomic") atomic();
  }

 private:
  int drawn(int below) { return static_cast<int>(own_() % static_cast<unsigned>(below)); }
  int other() { return drawn(size_); }
  int count() {
    const int most[] = {1, 10, 1000, kElements};
    return 1 + drawn(most[drawn(4)]);
  }

  void operation(int target) {
    const int n = count();
    switch (drawn(3)) {
      case 0:
        MPI_Put(buffer_.data(), n, MPI_DOUBLE, target, 0, n, MPI_DOUBLE, window_);
        break;
      case 1:
        MPI_Get(buffer_.data(), n, MPI_DOUBLE, target, 0, n, MPI_DOUBLE, window_);
        break;
      default:
        MPI_Accumulate(buffer_.data(), n, MPI_DOUBLE, target, 0, n, MPI_DOUBLE, MPI_SUM, window_);
    }
  }

  void fence() {
    MPI_Win_fence(MPI_MODE_NOPRECEDE, window_);
    for (int i = drawn(4); i > 0; --i) operation(other());
    MPI_Win_fence(MPI_MODE_NOSUCCEED, window_);
  }

  // A ring: every rank is the target of the previous one.
  void post() {
    MPI_Group all, before, after;
    MPI_Comm_group(comm_, &all);
    const int previous = (rank_ + size_ - 1) % size_, next = (rank_ + 1) % size_;
    MPI_Group_incl(all, 1, &previous, &before);
    MPI_Group_incl(all, 1, &next, &after);
    MPI_Win_post(before, 0, window_);
    MPI_Win_start(after, 0, window_);
    for (int i = drawn(4); i > 0; --i) operation(next);
    MPI_Win_complete(window_);
    MPI_Win_wait(window_);
    MPI_Group_free(&before);
    MPI_Group_free(&after);
    MPI_Group_free(&all);
  }

  void lock() {
    const int target = other();
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, window_);
    for (int i = drawn(3); i > 0; --i) operation(target);
    if (drawn(2) == 0) MPI_Win_flush(target, window_);
    MPI_Win_unlock(target, window_);
    MPI_Barrier(comm_);
  }

  void shared() {
    MPI_Win_lock_all(0, window_);
    for (int i = drawn(4); i > 0; --i) {
      const int target = other();
      operation(target);
      const int flush = drawn(5);
      if (flush == 0) MPI_Win_flush(target, window_);
      if (flush == 1) MPI_Win_flush_local(target, window_);
      if (flush == 2) MPI_Win_flush_all(window_);
      if (flush == 3) MPI_Win_flush_local_all(window_);
    }
    MPI_Win_unlock_all(window_);
    MPI_Barrier(comm_);
  }

  void requests() {
    MPI_Win_lock_all(0, window_);
    std::vector<MPI_Request> all;
    std::vector<std::vector<double>> buffers(4, std::vector<double>(kElements));
    for (int i = 0; i < 4; ++i) {
      const int target = other(), n = count();
      double* const buffer = buffers[i].data();
      all.emplace_back();
      if (drawn(3) == 0) {
        MPI_Rput(buffer, n, MPI_DOUBLE, target, 0, n, MPI_DOUBLE, window_, &all.back());
      } else if (drawn(2) == 0) {
        MPI_Rget(buffer, n, MPI_DOUBLE, target, 0, n, MPI_DOUBLE, window_, &all.back());
      } else {
        MPI_Raccumulate(buffer, n, MPI_DOUBLE, target, 0, n, MPI_DOUBLE, MPI_SUM, window_, &all.back());
      }
      if (drawn(2) == 0) {
        MPI_Wait(&all.back(), MPI_STATUS_IGNORE);
        all.pop_back();
      }
    }
    MPI_Waitall(static_cast<int>(all.size()), all.data(), MPI_STATUSES_IGNORE);
    MPI_Win_unlock_all(window_);
    MPI_Barrier(comm_);
  }

  void atomic() {
    MPI_Win_lock_all(0, window_);
    for (int i = drawn(3); i > 0; --i) {
      const double one = 1;
      double before = 0;
      if (drawn(2) == 0) {
        MPI_Fetch_and_op(&one, &before, MPI_DOUBLE, other(), 0, MPI_SUM, window_);
      } else {
        MPI_Compare_and_swap(&one, &before, &before, MPI_DOUBLE, other(), 1, window_);
      }
    }
    MPI_Win_unlock_all(window_);
    MPI_Barrier(comm_);
  }

  MPI_Comm comm_;
  int rank_ = 0, size_ = 0;
  std::mt19937 own_;
  std::vector<double> memory_, buffer_;
  MPI_Win window_ = MPI_WIN_NULL;
};

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const std::string way = argc > 1 ? argv[1] : "mixed";
  const auto seed = static_cast<unsigned>(argc > 2 ? std::atoi(argv[2]) : 1);
  const int rounds = argc > 3 ? std::atoi(argv[3]) : 3;
  const std::string ways[] = {"fence", "post", "lock", "shared", "requests", "atomic"};
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm half;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 3 == 0 ? 1 : 0, -rank, &half);
  for (int i = 0; i < rounds; ++i) {
    Program program(i % 2 == 0 ? MPI_COMM_WORLD : half, seed + static_cast<unsigned>(i));
    for (std::size_t w = 0; w < std::size(ways); ++w) {
      if (way == "mixed" || way == ways[w]) program.round(ways[w]);
    }
  }
  MPI_Comm_free(&half);
  MPI_Finalize();
}
