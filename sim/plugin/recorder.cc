// SPDX-License-Identifier: LGPL-2.1-only
#include "sim/plugin/recorder.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/error.h"
#include "records/exchange/address.h"
#include "records/exchange/exchanged_words.h"
#include "records/exchange/placement_file.h"
#include "records/exchange/timeline_recorder.h"
#include "sim/plugin/core_of.h"
#include "sim/plugin/launcher_lines.h"
#include "sim/plugin/thread_timeline.h"

namespace strata::sim {
namespace {

constexpr const char* kRemedy = "is the disk full, or the folder not there?";

class Recorder : public TimelineRecorder {
 public:
  Recorder(const Machine& machine, std::string file, int application)
      : timeline_(machine), file_(std::move(file)), application_(application) {
    errno = 0;
    out_.open(file_, std::ios::binary);
    if (!out_) throw InputError(words::kTimeline + (" " + file_), std::strerror(errno), kRemedy);
  }

  // SMPI gives its ranks the actor ids 1 to n. Actors that a program creates later are not ranks and are not recorded.
  void add_actor(const simgrid::s4u::Actor& actor) {
    if (started_) return;
    const auto id = static_cast<size_t>(actor.get_pid());
    if (thread_of_actor_.size() <= id) thread_of_actor_.resize(id + 1);
    const int rank = static_cast<int>(id) - 1;
    const bool progress = application_ > 0 && rank >= application_;
    const int core = core_of(*actor.get_host());
    thread_of_actor_[id] = timeline_.add_thread(core, progress ? rank - application_ : rank, progress);
  }

  void interval(long actor, Doing what, double start, double end) override {
    const auto id = static_cast<size_t>(actor);
    if (id < thread_of_actor_.size()) timeline_.add(thread_of_actor_[id], what, start, end);
  }
  void phase(const char* name, double start, double end) override { timeline_.add_phase(name, start, end); }

  void start() { started_ = true; }

  // Writes the trace once. Anything the simulation does later is ignored.
  void write() {
    if (written_) return;
    written_ = true;
    errno = 0;
    write_paje(out_, timeline_.trace());
    out_.close();
    if (out_) return;
    report(fmt::format("{} {}: cannot be written: {}; {}", words::kPlatform, file_, std::strerror(errno), kRemedy));
    std::error_code ignored;
    if (std::filesystem::is_regular_file(file_, ignored)) std::remove(file_.c_str());
    std::fflush(nullptr);
    std::_Exit(2);
  }

 private:
  Timeline timeline_;
  std::string file_;
  std::ofstream out_;
  int application_;
  std::vector<int> thread_of_actor_;
  bool started_ = false, written_ = false;
};

}  // namespace

void record_timeline(const Machine& machine, const simgrid::s4u::Engine& engine) {
  const char* file = std::getenv(words::kTimeline);
  if (file == nullptr || *file == '\0') return;
  const char* placement = std::getenv(words::kPlacement);
  const int application = placement == nullptr ? 0 : read_placement_file(placement).application;
  static Recorder* const recorder = new Recorder(machine, file, application);  // valid in exit()
  engine.get_netzone_root()->set_property(words::kTimelineProperty,
                                          text_of_address(static_cast<TimelineRecorder*>(recorder)));
  simgrid::s4u::Actor::on_creation_cb([](const simgrid::s4u::Actor& actor) { recorder->add_actor(actor); });
  simgrid::s4u::Engine::on_simulation_start_cb([] { recorder->start(); });
  simgrid::s4u::Engine::on_simulation_end_cb([] { recorder->write(); });
  std::atexit([] { recorder->write(); });
}

}  // namespace strata::sim
