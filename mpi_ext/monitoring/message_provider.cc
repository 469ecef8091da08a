// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/monitoring/message_provider.h"

#include <cstdlib>
#include <mutex>
#include <stdexcept>

#include "mpi_ext/adapter/openmpi_provider.h"
#include "mpi_ext/adapter/watched.h"
#include "mpi_ext/monitoring/process_sessions.h"
#include "records/exchange/exchanged_words.h"

namespace strata::mpix::monitoring {
namespace {

class TapProvider : public Provider {
 public:
  TapProvider() : sees_(listen_to_tap()) {}
  ~TapProvider() override { ignore_tap(); }
  int sees() const override { return sees_; }
  void mute() override { ++own_marks().muted; }
  void unmute() override { --own_marks().muted; }

 private:
  int sees_;
};

// Open MPI's counts do not contain the thread that sent. So everything that the process sends counts as the library's,
// from the time at which a first thread enters the library until the last one leaves it.
class OpenMpiProvider : public Provider {
 public:
  ~OpenMpiProvider() override { openmpi::close(); }
  int sees() const override { return openmpi::sees(); }

  Seen seen() override {
    const std::lock_guard guard(mutex_);
    const openmpi::Counts now = count();
    Seen seen;
    for (int kind = 0; kind < kMessageKinds; ++kind)
      add(now.sent[kind], own_.sent[kind], static_cast<Kind>(kind), seen.sent);
    add(now.results, own_.results, Kind::kOneSided, seen.received);
    return seen;
  }

  void mute() override {
    const std::lock_guard guard(mutex_);
    if (inside_++ == 0 && !openmpi::snapshot(before_)) lose();
  }

  void unmute() override {
    const std::lock_guard guard(mutex_);
    if (--inside_ > 0) return;
    openmpi::Counts now;
    if (!openmpi::snapshot(now)) return lose();
    for (int kind = 0; kind < kMessageKinds; ++kind)
      add_difference(before_.sent[kind], now.sent[kind], own_.sent[kind]);
    add_difference(before_.results, now.results, own_.results);
  }

 private:
  using Sent = std::vector<openmpi::Sent>;

  // If the library's own messages are not known, neither are the others.
  void lose() { lost_ = true; }

  openmpi::Counts count() const {
    openmpi::Counts counts;
    if (lost_ || !openmpi::snapshot(counts)) throw std::runtime_error("Open MPI's monitoring component cannot be read");
    return counts;
  }

  static void add(const Sent& now, const Sent& own, Kind kind, std::vector<Entry>& entries) {
    for (std::size_t peer = 0; peer < now.size(); ++peer) {
      const openmpi::Sent subtracted = peer < own.size() ? own[peer] : openmpi::Sent{};
      const Amount amount{now[peer].messages - subtracted.messages, now[peer].bytes - subtracted.bytes};
      if (amount != Amount{}) entries.push_back({static_cast<int>(peer), kind, amount});
    }
  }

  static void add_difference(const Sent& before, const Sent& now, Sent& sum) {
    sum.resize(now.size());
    for (std::size_t peer = 0; peer < now.size(); ++peer) {
      const openmpi::Sent was = peer < before.size() ? before[peer] : openmpi::Sent{};
      sum[peer].messages += now[peer].messages - was.messages;
      sum[peer].bytes += now[peer].bytes - was.bytes;
    }
  }

  std::mutex mutex_;  // for all members below, and for Open MPI's tool interface
  openmpi::Counts own_, before_;
  int inside_ = 0;  // threads inside the library
  bool lost_ = false;
};

}  // namespace

std::unique_ptr<Provider> find_provider(std::string& why_not) {
  const char* said = std::getenv(words::kMonitoringProvider);
  const std::string wanted = said == nullptr ? "" : said;
  const std::string tap = kTapName;
  const bool any = wanted.empty(), simulated = tap == "smpi";
  if (!simulated && (any || wanted == "openmpi") && openmpi::available()) return std::make_unique<OpenMpiProvider>();
  if ((any || wanted == tap) && strata_monitoring_listen != nullptr) return std::make_unique<TapProvider>();
  const std::string smpi = "preload libmpix_monitoring_smpi.so into the simulator, as `strata run` does";
  const std::string openmpi = "under Open MPI use `mpirun --mca pml_monitoring_enable 1`";
  const std::string pmpi = "link the program with libmpix_monitoring_MPI.so before the MPI, or preload that";
  if (any) {
    why_not = "no provider sees messages here; " + (simulated ? smpi : openmpi + ", or " + pmpi);
  } else if (simulated ? wanted == "smpi" : wanted == "openmpi" || wanted == "pmpi") {
    why_not = std::string(words::kMonitoringProvider) + "'s '" + wanted + "' is not available; " +
              (simulated ? smpi : (wanted == "openmpi" ? openmpi : pmpi));
  } else {
    why_not = std::string(words::kMonitoringProvider) + ": unknown provider '" + wanted + "'; give " +
              (simulated ? "smpi" : "openmpi and pmpi");
  }
  return nullptr;
}

}  // namespace strata::mpix::monitoring
