// SPDX-License-Identifier: LGPL-2.1-only
// The data of a measured collective: the contents of each rank's buffers before it, and the expected contents after it.
//
// If the buffers of all ranks together take at most kVerifiedBytes, every rank has its own. Otherwise all ranks share
// the same pages, and the same code moves the same messages without verification.
//
// Elements are 4-byte unsigned integers; sums wrap.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "mpi_ext/adapter/measure.h"
#include "records/program_defaults.h"

namespace strata::programs {

enum class Collective { kBcast, kReduce, kAllreduce, kGather, kScatter, kAllgather, kScan, kBarrier };

inline constexpr double kVerifiedBytes = 256e6;  // B over all ranks: what a laptop can spare for each of several runs

/// A collective of `elements` on each rank (for gather, scatter and allgather, the size of a rank's block), or none for
/// a barrier. Reductions compute the sum.
class Payload {
 public:
  Payload(Collective collective, int elements, int root, int rank, int size)
      : collective_(collective), block_(static_cast<std::size_t>(elements)), root_(root), rank_(rank), size_(size) {
    double bytes_of_all = 0;
    for (int r = 0; r < size; ++r) {
      bytes_of_all += kElementBytes * static_cast<double>(sent_elements(r) + received_elements(r));
    }
    verified_ = bytes_of_all <= kVerifiedBytes;
    if (!verified_) {
      shared_send_ = mpix::allocate_payload(sent_elements(rank) * kElementBytes);
      shared_receive_ = mpix::allocate_payload(received_elements(rank) * kElementBytes);
    }
    fill();
  }
  Payload(const Payload&) = delete;
  Payload& operator=(const Payload&) = delete;
  ~Payload() {
    if (verified_) return;
    mpix::free_payload(shared_send_);
    mpix::free_payload(shared_receive_);
  }

  bool verified() const { return verified_; }
  /// A broadcast uses `receive`, even at its root.
  void* send() { return verified_ ? send_.data() : shared_send_; }
  void* receive() { return verified_ ? receive_.data() : shared_receive_; }

  /// Sets the contents before the collective.
  void fill() {
    if (!verified_) return;
    send_.clear();
    for (std::size_t i = 0; i < sent_elements(rank_); ++i) send_.push_back(sent(i));
    receive_.assign(received_elements(rank_) + 1, kGuard);
    if (collective_ == Collective::kBcast && rank_ == root_) {
      for (std::size_t i = 0; i < block_; ++i) receive_[i] = element(i, root_);
    }
  }

  /// The number of wrong elements after the collective, including a guard element behind the results.
  int count_wrong() const {
    if (!verified_) return 0;
    int wrong = receive_.back() != kGuard ? 1 : 0;
    for (std::size_t i = 0; i + 1 < receive_.size(); ++i) wrong += receive_[i] != expected(i) ? 1 : 0;
    return wrong;
  }

 private:
  static_assert(kElementBytes == sizeof(std::uint32_t));
  static constexpr std::uint32_t kGuard = 0xfeedbeef;

  std::size_t all_blocks() const { return block_ * static_cast<std::size_t>(size_); }

  std::size_t sent_elements(int rank) const {
    switch (collective_) {
      case Collective::kScatter:
        return rank == root_ ? all_blocks() : 0;
      case Collective::kBcast:
      case Collective::kBarrier:
        return 0;
      default:
        return block_;
    }
  }

  std::size_t received_elements(int rank) const {
    switch (collective_) {
      case Collective::kReduce:
        return rank == root_ ? block_ : 0;
      case Collective::kGather:
        return rank == root_ ? all_blocks() : 0;
      case Collective::kAllgather:
        return all_blocks();
      case Collective::kBarrier:
        return 0;
      default:
        return block_;
    }
  }

  // The element with this index in the data of `rank`.
  static std::uint32_t element(std::size_t index, int rank) {
    return static_cast<std::uint32_t>(index) * 2654435761u + static_cast<std::uint32_t>(rank) * 40503u;
  }

  // The sum of element(index, r) over ranks r < ranks.
  static std::uint32_t sum(std::size_t index, int ranks) {
    const auto n = static_cast<std::uint64_t>(ranks);
    return static_cast<std::uint32_t>(n * element(index, 0) + n * (n - 1) / 2 * 40503u);
  }

  // The element with this index in the concatenated blocks of all ranks.
  std::uint32_t of_blocks(std::size_t index) const { return element(index % block_, static_cast<int>(index / block_)); }

  std::uint32_t sent(std::size_t index) const {
    return collective_ == Collective::kScatter ? of_blocks(index) : element(index, rank_);
  }

  std::uint32_t expected(std::size_t index) const {
    switch (collective_) {
      case Collective::kBcast:
        return element(index, root_);
      case Collective::kReduce:
      case Collective::kAllreduce:
        return sum(index, size_);
      case Collective::kScan:
        return sum(index, rank_ + 1);
      case Collective::kGather:
      case Collective::kAllgather:
        return of_blocks(index);
      case Collective::kScatter:
        return element(index, rank_);
      case Collective::kBarrier:
        break;
    }
    return 0;
  }

  Collective collective_;
  std::size_t block_;
  int root_, rank_, size_;
  bool verified_ = true;
  std::vector<std::uint32_t> send_, receive_;
  void *shared_send_ = nullptr, *shared_receive_ = nullptr;
};

}  // namespace strata::programs
