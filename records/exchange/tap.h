// SPDX-License-Identifier: LGPL-2.1-only
// The interface between the tap, which sees messages, and monitoring sessions, which count them.
//
// The tap is a separate library (libmpix_monitoring_MPI.so, or linked with the program). Under SMPI it is inside the
// simulator and sees every message (tap_smpi.cc). Under a real MPI it wraps MPI's functions (tap_pmpi.cc). It notifies
// its listeners: one for each loaded copy of the counting library.
#pragma once

#include <cstdint>

namespace strata {

/// Kinds of messages that are counted separately.
enum class MessageKind : int {
  kExternal = 0,    // a message that the program sends
  kInternal = 1,    // a message inside a collective
  kCollective = 2,  // a call of a collective
  kOneSided = 3,
};
inline constexpr int kMessageKinds = 4;

/// The kind's letter in Open MPI's profiles (records/matrix/prof_file.h) and in sends.csv (records/message_files.h).
constexpr char letter_of(MessageKind kind) { return "EICS"[static_cast<int>(kind)]; }

/// Sender or receiver: the actor's id under SMPI, the rank in MPI_COMM_WORLD under a real MPI.
using ProcessId = std::int64_t;

class MessageListener {
 public:
  /// `sender` begins to send `bytes` bytes of data to `receiver`. Called at the send, possibly by several threads at
  /// once. Must not send messages.
  virtual void sent(MessageKind kind, ProcessId sender, ProcessId receiver, std::uint64_t bytes) = 0;

 protected:
  ~MessageListener() = default;
};

}  // namespace strata

extern "C" {

/// From now on, reports every message to `listener`, which must stay valid. Returns the kinds that the tap sees, and
/// MPI_M_SEES_* (MPI_Monitoring.h). Weak: null without a tap. Thread-safe.
__attribute__((weak)) int strata_monitoring_listen(strata::MessageListener* listener);
/// The same without MessageKind::kCollective: a call of a collective on P ranks takes O(P^2) such reports.
__attribute__((weak)) int strata_monitoring_listen_to_messages(strata::MessageListener* listener);
/// Stops reports to `listener`. Thread-safe.
__attribute__((weak)) void strata_monitoring_ignore(strata::MessageListener* listener);
}
