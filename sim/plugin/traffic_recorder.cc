// SPDX-License-Identifier: LGPL-2.1-only
#include "sim/plugin/traffic_recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "flow/flows.h"
#include "flow/link_names.h"
#include "flow/traffic.h"
#include "platforms/core_name.h"
#include "records/exchange/exchanged_words.h"
#include "records/exchange/placement_file.h"
#include "records/exchange/tap.h"
#include "records/levels.h"
#include "records/links.h"
#include "records/matrix/matrix_market.h"
#include "records/message_files.h"
#include "records/samples.h"
#include "sim/plugin/core_of.h"
#include "sim/plugin/launcher_lines.h"

namespace strata::sim {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRemedy = "is the disk full, or the folder not there?";

// A text file that grows during the simulation.
class Output {
 public:
  Output(const fs::path& file, const char* heading) : file_(file), out_(file, std::ios::binary) {
    out_ << heading << "\n";
    if (!out_) throw InputError(words::kTraffic + (" " + file_.string()), std::strerror(errno), kRemedy);
  }
  void append(const std::string& text) { out_ << text; }
  // Returns false if not everything could be written.
  bool close() {
    out_.close();
    return !out_.fail();
  }
  const fs::path& file() const { return file_; }

 private:
  fs::path file_;
  std::ofstream out_;
};

// The bytes of each link in each period. Rates are constant between two events, so a sample does not need an event of
// its own: its bytes are computed at the next event.
class Samples {
 public:
  Samples(const fs::path& file, double period_s, const std::vector<flow::LinkName>& names, const flow::Flows& flows)
      : out_(file, kSamplesHeading), period_s_(period_s), names_(names), flows_(flows), before_(names.size()) {}

  // Takes all samples that are due by `now`.
  void take(double now, bool something_under_way) {
    for (; static_cast<double>(next_) * period_s_ <= now; ++next_) {
      if (!something_under_way && !dirty_) {
        next_ = std::max(next_, static_cast<long>(now / period_s_));  // no traffic in all these periods
        continue;
      }
      write(static_cast<double>(next_) * period_s_);
      dirty_ = something_under_way;
    }
    if (something_under_way) dirty_ = true;
  }

  bool finish(double now) {
    if (dirty_) write(now);
    return out_.close();
  }
  const fs::path& file() const { return out_.file(); }

 private:
  void write(double time) {
    flows_.carried_at(time, bytes_);
    std::string rows;
    for (size_t l = 0; l < names_.size(); ++l) {
      const double whole = std::floor(bytes_[l]);
      if (names_[l].capacity == 0 || whole <= before_[l]) continue;  // not in the table, or lower by rounding
      rows += format_sample(
          {static_cast<double>(next_) * period_s_, names_[l].link, names_[l].direction, whole - before_[l]});
      before_[l] = whole;
    }
    out_.append(rows);
  }

  Output out_;
  const double period_s_;
  const std::vector<flow::LinkName>& names_;
  const flow::Flows& flows_;
  long next_ = 1;       // the current period, which ends at next_ * period_s_
  bool dirty_ = false;  // links may have carried bytes since the last sample
  std::vector<double> bytes_, before_;
};

class TrafficRecorder : public flow::Watcher, public MessageListener {
 public:
  TrafficRecorder(const Machine& machine, const MachineZone& zone, fs::path folder, int application)
      : topology_(*machine.topology),
        flows_(zone.flows()),
        folder_(std::move(folder)),
        names_(flow::link_names(machine, zone.tree())),
        application_(application),
        levels_(machine, zone.tree()) {
    if (const char* period = std::getenv(words::kTrafficPeriod)) {
      char* end = nullptr;
      const double s = std::strtod(period, &end);
      if (end == period || *end != '\0' || !std::isfinite(s) || s <= 0)
        throw InputError(words::kTrafficPeriod, "'" + std::string(period) + "' is not a time", "give seconds, as 0.01");
      samples_.emplace(folder_ / kSamplesFile, s, names_, flows_);
    }
    if (const char* pairs = std::getenv(words::kTrafficPairs)) matrix_.limit(std::strtoul(pairs, nullptr, 10));
    if (std::getenv(words::kTrafficMessages) != nullptr) {
      sends_.emplace(folder_ / kSendsFile, kSendsHeading);
      messages_.emplace(folder_ / kMessagesFile, kMessagesHeading);
    }
  }

  // SMPI gives its ranks the actor ids 1 to n. Actors that a program creates later are not ranks.
  void add_actor(const simgrid::s4u::Actor& actor) {
    if (started_) return;
    ++ranks_;
    core_of_actor_.resize(static_cast<size_t>(actor.get_pid()) + 1);
    core_of_actor_.back() = core_of(*actor.get_host());
  }
  void start() { started_ = true; }

  void sent(MessageKind kind, ProcessId sender, ProcessId receiver, std::uint64_t bytes) override {
    if (std::max(sender, receiver) > ranks_) return;  // from a thread of the program: never arrives
    matrix_.add(rank_of(sender), rank_of(receiver), bytes);
    levels_.add(core_of_actor_[sender], core_of_actor_[receiver], bytes);
    if (sends_) {
      sends_->append(format_message({kind, static_cast<int>(sender) - 1, static_cast<int>(receiver) - 1, bytes}));
    }
  }

  void time_passed(double now) override {
    const bool messages = flows_.under_way() > 0, any = messages || flows_.working() > 0;
    if (messages) active_s_ += now - last_s_;
    if (any) busy_s_ += now - last_s_;
    last_s_ = now;
    if (samples_) samples_->take(now, any);
  }

  void arrived(int source, int destination, double bytes, double sent_s, double now) override {
    if (!messages_) return;
    messages_->append(
        format_message({core_name(topology_, source), core_name(topology_, destination), bytes, sent_s, now}));
  }

  // Writes everything once. Anything the simulation does later is ignored.
  void write() {
    if (written_) return;
    written_ = true;
    const int order = application_ > 0 ? application_ : ranks_;
    if (matrix_.whole()) {
      write_file(kBytesMatrixFile, format_matrix_market(order, matrix_.bytes()));
      write_file(kMessagesMatrixFile, format_matrix_market(order, matrix_.messages()));
    }
    write_file(kLevelsFile, format_levels(levels_.counts()));
    std::vector<double> bytes;
    flows_.carried_at(last_s_, bytes);
    write_file(kLinksFile, format_links(flow::link_traffic(names_, bytes, flows_.carried(), active_s_, busy_s_)));
    if (samples_ && !samples_->finish(last_s_)) give_up(samples_->file());
    for (std::optional<Output>* log : {&sends_, &messages_}) {
      if (*log && !(*log)->close()) give_up((*log)->file());
    }
  }

 private:
  // The traffic of a progress thread counts for its rank.
  int rank_of(ProcessId actor) const {
    const int rank = static_cast<int>(actor) - 1;
    return application_ > 0 && rank >= application_ ? rank - application_ : rank;
  }

  void write_file(const char* name, const std::string& text) {
    errno = 0;
    std::ofstream out(folder_ / name, std::ios::binary);
    out << text;
    out.close();
    if (!out) give_up(folder_ / name);
  }

  [[noreturn]] static void give_up(const fs::path& file) {
    report(fmt::format("{} {}: cannot be written: {}; {}", words::kPlatform, file.string(), std::strerror(errno),
                       kRemedy));
    std::error_code ignored;
    fs::remove(file, ignored);
    std::fflush(nullptr);
    std::_Exit(2);
  }

  const Topology& topology_;
  flow::Flows& flows_;
  fs::path folder_;
  const std::vector<flow::LinkName> names_;
  int application_;  // ranks; 0 if there are no progress threads
  flow::MessageMatrix matrix_;
  flow::MessageLevels levels_;
  std::vector<int> core_of_actor_;  // by actor id
  std::optional<Samples> samples_;
  std::optional<Output> sends_, messages_;
  double active_s_ = 0, busy_s_ = 0, last_s_ = 0;
  int ranks_ = 0;
  bool started_ = false, written_ = false;
};

}  // namespace

void record_traffic(const Machine& machine, const MachineZone& zone) {
  const char* folder = std::getenv(words::kTraffic);
  if (folder == nullptr || *folder == '\0') return;
  if (strata_monitoring_listen_to_messages == nullptr)
    throw InputError(words::kTraffic, "the messages of processes are not observed",
                     "preload libmpix_monitoring_smpi.so into the simulator, as `strata run` does");
  const char* placement = std::getenv(words::kPlacement);
  const int application = placement == nullptr ? 0 : read_placement_file(placement).application;
  static TrafficRecorder* const recorder = new TrafficRecorder(machine, zone, folder, application);  // valid in exit()
  zone.flows().watch(*recorder);
  strata_monitoring_listen_to_messages(recorder);  // a collective's messages are reported separately
  simgrid::s4u::Actor::on_creation_cb([](const simgrid::s4u::Actor& actor) { recorder->add_actor(actor); });
  simgrid::s4u::Engine::on_simulation_start_cb([] { recorder->start(); });
  simgrid::s4u::Engine::on_simulation_end_cb([] { recorder->write(); });
  std::atexit([] { recorder->write(); });
}

}  // namespace strata::sim
