// SPDX-License-Identifier: LGPL-2.1-only
// Between who sees messages (the tap) and who counts them (the sessions).
//
// The tap is a library of its own (libmpix_monitoring_MPI.so, or linked with the program): under SMPI it stands in the
// simulator and sees every message (tap_smpi.cc), under a real MPI in front of MPI's functions (tap_pmpi.cc). It tells
// its listeners, of whom there is one per copy of the library that counts.
#pragma once

#include <cstdint>

namespace strata {

/// What is counted apart.
enum class MessageKind : int {
  kExternal = 0,    // a message that the program sends
  kInternal = 1,    // a message that a collective is made of
  kCollective = 2,  // a collective as it is called
  kOneSided = 3,
};
inline constexpr int kMessageKinds = 4;

/// Its letter in Open MPI's profiles (records/matrix/profile.h) and in sends.csv (records/messages.h).
constexpr char letter_of(MessageKind kind) { return "EICS"[static_cast<int>(kind)]; }

/// Who sends and receives: under SMPI the id of the actor, under a real MPI the rank in MPI_COMM_WORLD.
using ProcessId = std::int64_t;

class MessageListener {
 public:
  /// `sender` begins to send `bytes` bytes of data to `receiver`. Called where the message is sent, possibly by several
  /// threads at once; must not send itself.
  virtual void sent(MessageKind kind, ProcessId sender, ProcessId receiver, std::uint64_t bytes) = 0;

 protected:
  ~MessageListener() = default;
};

}  // namespace strata

extern "C" {

/// From now on `listener` is told of every message; it must stay. The kinds and MPI_M_SEES_* that the tap sees
/// (MPI_Monitoring.h) are returned. Weak: null where there is no tap. Thread-safe.
__attribute__((weak)) int strata_monitoring_listen(strata::MessageListener* listener);
/// `listener` is told no more. Thread-safe.
__attribute__((weak)) void strata_monitoring_ignore(strata::MessageListener* listener);
}
