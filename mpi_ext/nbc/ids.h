// Ids of communicators: a number for each that is in use, by which messages on a lane that communicators share are told
// apart.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>

namespace strata::mpix {

/// Those of a process that are in use, a bit each. Thread-safe.
class Ids {
 public:
  static constexpr int kIds = 1024;  // communicators of a process at a time; leaves each at least 2^4 tags
  using Bits = std::array<std::uint64_t, kIds / 64>;

  /// What is free, for one thread at a time: nothing, while another has asked. To be given back.
  Bits borrow(bool& borrowed);
  /// Gives back, and takes `id`; -1 takes none.
  void give_back(int id);
  void release(int id);

 private:
  std::mutex mutex_;
  bool borrowed_ = false;
  Bits used_{};
};

/// An id that is released with this.
class OwnId {
 public:
  explicit OwnId(Ids& ids) : ids_(ids) {}
  OwnId(const OwnId&) = delete;
  OwnId& operator=(const OwnId&) = delete;
  ~OwnId() {
    if (value >= 0) ids_.release(value);
  }
  Ids& ids() { return ids_; }

  int value = -1;  // none yet

 private:
  Ids& ids_;
};

}  // namespace strata::mpix
