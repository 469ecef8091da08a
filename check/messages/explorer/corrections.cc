// SPDX-License-Identifier: LGPL-2.1-only
// Corrects SMPI's behaviour in SimGrid 4.0 under a model checker, and in replays of its results. This library is
// preloaded into the explored program. libsimgrid calls each of these functions through its procedure linkage table
// (PLT) or as a virtual function. Without the corrections:
//
// - MPI_Probe ends the program. It should be a step that can be taken once there is a message.
// - MPI_Waitall with MPI_REQUEST_NULL among its requests ends the program.
// - MPI_Testany only completes requests that were complete when it was called, although others may have completed
//   since.
// - MPI_Abort ends the ranks, which looks like a normal end. It should be a crash.
// - MPI_Cancel leaves a receive where later messages find it.
// - smpi/send-is-detached-thresh is overwritten: all sends wait, or none.
// - Messages that were never received are not reported (here only if STRATA_UNMATCHED is set).
// - A receive does not report to the checker whether it accepts messages from any rank.
#include <dlfcn.h>
#include <mpi.h>
#include <unistd.h>
#include <xbt/log.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <simgrid/s4u/Actor.hpp>
#include <simgrid/s4u/Engine.hpp>
#include <simgrid/s4u/Mailbox.hpp>
#include <simgrid/simcall.hpp>
#include <string>
#include <xbt/config.hpp>

#include "records/exchange/exchanged_words.h"
#include "sim/simgrid/checked_steps.h"
#include "sim/simgrid/request.h"

XBT_LOG_NEW_DEFAULT_CATEGORY(strata_check, "What Strata's model checker reads of a replay");

namespace strata::check {
namespace {

using simgrid::kernel::activity::CommImpl;
using simgrid::s4u::Mailbox;
using simgrid::smpi::Request;
using Matches = std::function<bool(void*, void*, CommImpl*)>;

template <class Function>
Function* behind(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

// Member functions are called as functions whose first argument is the object. A returned object is in the caller's
// memory.
simgrid::kernel::activity::ActivityImplPtr iprobe_behind(Mailbox* mailbox, Mailbox::IprobeKind kind,
                                                         const Matches& matches, void* request) {
  static const auto function =
      behind<simgrid::kernel::activity::ActivityImplPtr(Mailbox*, Mailbox::IprobeKind, const Matches&, void*)>(
          sim::kMailboxIprobe);
  return function(mailbox, kind, matches, request);
}

// Calls `look` for every message in a mailbox that has not been received (kind RECV), or for every receive without a
// message (kind SEND). Call it only outside of actors, where a probe does not count as a step.
void for_each_waiting(Mailbox* mailbox, Mailbox::IprobeKind kind, void* request,
                      const std::function<void(void* request, CommImpl*)>& look) {
  alignas(Request) static unsigned char none[sizeof(Request)];
  iprobe_behind(
      mailbox, kind,
      [&look](void*, void* waiting, CommImpl* communication) {
        look(waiting, communication);
        return false;
      },
      request == nullptr ? none : request);
}

// The next probe of the calling actor waits for a message. The actor does not yield before it.
bool g_probe_blocks = false;

class BlockingProbe final : public simgrid::kernel::actor::SimcallObserver {
 public:
  BlockingProbe(simgrid::kernel::actor::ActorImpl* issuer, Mailbox* mailbox, const Matches& matches, void* request)
      : SimcallObserver(issuer),
        probe_(issuer, simgrid::kernel::activity::MailboxImpl::of(*mailbox), Mailbox::IprobeKind::RECV, matches,
               request),
        mailbox_(mailbox),
        matches_(matches),
        request_(request) {}

  bool is_enabled() override {
    bool found = false;
    for_each_waiting(mailbox_, Mailbox::IprobeKind::RECV, request_, [&](void* message, CommImpl* communication) {
      found = found || matches_(request_, message, communication);
    });
    return found;
  }
  void serialize(simgrid::mc::Channel& channel) const override { probe_.serialize(channel); }
  std::string to_string() const override { return "blocking " + probe_.to_string(); }

 private:
  simgrid::kernel::actor::IprobeSimcall probe_;
  Mailbox* mailbox_;
  const Matches& matches_;
  void* request_;
};

// Call this when all ranks have ended. Reports messages that were never received, and receives that never got a
// message. Returns their number.
int report_unmatched() {
  if (std::getenv(words::kUnmatched) == nullptr || simgrid::s4u::Engine::get_instance()->get_actor_count() > 0)
    return 0;
  int count = 0;
  for (int rank = 0; rank < simgrid::config::get_value<int>("smpi/np"); ++rank) {
    Mailbox* const mailbox = Mailbox::by_name("SMPI-" + std::to_string(rank + 1));
    for_each_waiting(mailbox, Mailbox::IprobeKind::RECV, nullptr, [&](void* message, CommImpl*) {
      const auto* sent = static_cast<const Request*>(message);
      ++count;
      std::fprintf(stderr, "%s send from rank %ld to rank %d tag %d bytes %zu\n", words::kNeverReceived,
                   sent->sender() - 1, rank, sent->tag(), sent->size());
    });
    for_each_waiting(mailbox, Mailbox::IprobeKind::SEND, nullptr, [&](void* receive, CommImpl*) {
      const auto* posted = static_cast<const Request*>(receive);
      // SMPI's collectives leave receives without a sender behind. Their tags are negative.
      if (posted == nullptr || (posted->tag() < 0 && posted->tag() != MPI_ANY_TAG)) return;
      ++count;
      std::fprintf(stderr, "%s receive of rank %d from rank %ld tag %d\n", words::kNeverReceived, rank,
                   posted->sender() == MPI_ANY_SOURCE ? -1 : posted->sender() - 1, posted->tag());
    });
  }
  return count;
}

}  // namespace
}  // namespace strata::check

extern "C" {

// Also reads the options, one of which the checker overwrites.
void SMPI_init() {
  static constexpr const char* kThreshold = "smpi/send-is-detached-thresh";
  const int threshold = simgrid::config::get_value<int>(kThreshold);
  strata::check::behind<void()>("SMPI_init")();
  simgrid::config::set_value<int>(kThreshold, threshold);
}

void SMPI_finalize() {
  if (strata::check::report_unmatched() > 0) {
    std::fflush(nullptr);
    ::_exit(EXIT_FAILURE);  // a crash for the checker; the replay reports the reason
  }
  strata::check::behind<void()>("SMPI_finalize")();
}

int PMPI_Abort(MPI_Comm, int) {
  XBT_WARN("MPI_Abort was called");
  std::abort();
}
}

namespace simgrid::smpi {

int Request::wait(Request** request, MPI_Status* status) {
  static const auto behind = strata::check::behind<int(Request**, MPI_Status*)>(strata::sim::kRequestWait);
  if (*request != MPI_REQUEST_NULL) return behind(request, status);
  if (status != MPI_STATUS_IGNORE) *status = {MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_SUCCESS, 0, 0};
  return MPI_SUCCESS;
}

void Request::finish_wait(Request** request, MPI_Status* status) {
  static const auto behind = strata::check::behind<void(Request**, MPI_Status*)>(strata::sim::kRequestFinishWait);
  if (const Request& r = **request; (r.flags() & kReceive) != 0 && r.sender() != MPI_PROC_NULL) {
    XBT_VERB("Received from %ld, tag %d, %zu bytes", r.sender() == MPI_ANY_SOURCE ? r.real_sender() : r.sender(),
             r.tag() == MPI_ANY_TAG ? r.real_tag() : r.tag(), r.real_size());
  }
  behind(request, status);
}

void Request::probe(int source, int tag, Comm* comm, MPI_Status* status) {
  int found = 0;
  strata::check::g_probe_blocks = true;
  iprobe(source, tag, comm, &found, status);
}

}  // namespace simgrid::smpi

namespace simgrid::s4u {

kernel::activity::ActivityImplPtr Mailbox::iprobe(IprobeKind kind, const strata::check::Matches& matches,
                                                  void* request) {
  if (!strata::check::g_probe_blocks) return strata::check::iprobe_behind(this, kind, matches, request);
  strata::check::g_probe_blocks = false;
  strata::check::BlockingProbe probe(Actor::self()->get_impl(), this, matches, request);
  return kernel::actor::simcall_answered([&] { return strata::check::iprobe_behind(this, kind, matches, request); },
                                         &probe);
}

}  // namespace simgrid::s4u

namespace simgrid::kernel::activity {

void CommImpl::cancel() {
  static const auto behind = strata::check::behind<void(CommImpl*)>(strata::sim::kCommunicationCancel);
  actor::simcall_answered([self = this] {
    MailboxImpl* from = nullptr;
    for (int rank = 0; rank < config::get_value<int>("smpi/np") && from == nullptr; ++rank) {
      auto* const mailbox = s4u::Mailbox::by_name("SMPI-" + std::to_string(rank + 1));
      strata::check::for_each_waiting(mailbox, s4u::Mailbox::IprobeKind::SEND, nullptr, [&](void*, CommImpl* waiting) {
        if (waiting == self) from = MailboxImpl::of(*mailbox);
      });
    }
    if (from != nullptr) {  // it has no message yet
      reinterpret_cast<ActivityImpl*>(self)->ActivityImpl::cancel();
      from->remove(reinterpret_cast<const CommImplPtr&>(self));
    }
    behind(self);
  });
}

}  // namespace simgrid::kernel::activity

namespace simgrid::kernel::actor {

void CommIrecvSimcall::serialize(mc::Channel& channel) const {
  static const auto behind =
      strata::check::behind<void(const CommIrecvSimcall*, mc::Channel&)>(strata::sim::kReceiveSerialize);
  behind(this, channel);
  const bool from_anybody = static_cast<const smpi::Request*>(request_)->sender() == MPI_ANY_SOURCE;
  channel.pack(&from_anybody, sizeof from_anybody);
}

void ActivityTestanySimcall::look() const {
  complete_.clear();
  for (std::size_t i = 0; i < activities_->size(); ++i) {
    if ((*activities_)[i]->test(issuer_)) complete_.push_back(static_cast<int>(i));
  }
}

int ActivityTestanySimcall::get_max_consider() const {
  look();
  return static_cast<int>(complete_.size()) + 1;
}

void ActivityTestanySimcall::prepare(int choice) {
  look();
  chosen_ = choice < static_cast<int>(complete_.size()) ? complete_[choice] : -1;  // -1: none
}

}  // namespace simgrid::kernel::actor

namespace simgrid::mc {

// The only step "0" means an empty path.
RecordTrace::RecordTrace(const char* path) {
  static const auto behind = strata::check::behind<void(RecordTrace*, const char*)>(strata::sim::kReplayOfSteps);
  if (std::strcmp(path, "0") != 0) behind(this, path);
}

// The replay ends at the end of the path, even if actors have not ended.
void RecordTrace::replay(const std::string& path) {
  strata::check::behind<void(const std::string&)>(strata::sim::kReplayOfPath)(path);
  strata::check::report_unmatched();
  std::fflush(nullptr);
  ::_exit(EXIT_SUCCESS);
}

}  // namespace simgrid::mc
