// SPDX-License-Identifier: LGPL-2.1-only
#include "tests/analysis/page/made_run.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "platforms/core_name.h"
#include "records/events.h"
#include "records/folder.h"
#include "records/links.h"
#include "records/matrix/matrix_file.h"
#include "records/matrix/matrix_market.h"
#include "records/rank_placements.h"
#include "records/samples.h"
#include "tests/analysis/small_study.h"

namespace strata::analysis {
namespace {

namespace fs = std::filesystem;

enum Function { kInit, kSendrecv, kAllreduce, kFinalize };
constexpr double kCompute_s = 100e-6, kLate_s = 150e-6, kFlow_s = 8e-6, kReduce_s = 5e-6;
constexpr int kBytes = 8000;

// The events of all ranks, step by step, and the resulting profile.
class Ring {
 public:
  Ring(int ranks, int steps, double pause_s) : ranks_(ranks), at_(ranks, 0.0), times_(ranks) {
    for (int r = 0; r < ranks; ++r) call(r, kInit, 0, 1e-6, -1, 0);
    for (int s = 0; s < steps; ++s) {
      if (s == steps / 4) {
        for (double& time : at_) time += pause_s;
      }
      step(s);
    }
    for (int r = 0; r < ranks; ++r) {
      call(r, kFinalize, at_[r], at_[r] + 1e-6, -1, 0);
      events_.push_back({.kind = Event::Kind::kRankEnd, .time = at_[r], .rank = r});
      times_[r].end = at_[r];
      times_[r].communicating -= times_[r].waiting;
      times_[r].computing = at_[r] - times_[r].communicating - times_[r].waiting;
    }
    std::stable_sort(events_.begin(), events_.end(), [](const Event& a, const Event& b) { return a.time < b.time; });
    std::int64_t next = 0;
    std::map<std::int64_t, std::int64_t> number;  // in the order of the sends
    for (Event& e : events_) {
      if (e.kind == Event::Kind::kSend) number[e.message] = ++next;
      if (e.message != 0) e.message = number.at(e.message);
    }
  }

  double end() const { return *std::max_element(at_.begin(), at_.end()); }
  const std::vector<Event>& events() const { return events_; }
  const std::vector<RankProfile>& times() const { return times_; }
  const std::map<int, CallProfile>& calls() const { return calls_; }
  long messages() const { return messages_; }

 private:
  // A rank is blocked until the message from `other` has arrived. The message began to flow at `began`.
  void call(int rank, Function function, double from, double to, int other, double began) {
    events_.push_back({.kind = Event::Kind::kEnter, .time = from, .rank = rank, .function = function});
    double waiting = 0;
    if (other >= 0) {
      events_.push_back({.kind = Event::Kind::kBlock, .time = from, .rank = rank});
      ++messages_;
      events_.push_back({.kind = Event::Kind::kSend,
                         .time = std::max(began, from),
                         .rank = other,
                         .message = messages_,
                         .other = rank,
                         .bytes = kBytes});
      if (began < from) began = from;
      events_.push_back(
          {.kind = Event::Kind::kArrive, .time = to, .message = messages_, .posted = from, .began = began});
      events_.push_back(
          {.kind = Event::Kind::kUnblock, .time = to, .rank = rank, .message = messages_, .other = -1, .began = began});
      waiting = began - from;
    }
    events_.push_back({.kind = Event::Kind::kLeave, .time = to, .rank = rank});
    at_[rank] = to;
    times_[rank].communicating += to - from;
    times_[rank].waiting += waiting;
    CallProfile& sums = calls_[function];
    ++sums.count;
    sums.seconds += to - from;
    sums.waiting += waiting;
  }

  void step(int s) {
    std::vector<double> ready(ranks_);
    for (int r = 0; r < ranks_; ++r) ready[r] = at_[r] + kCompute_s + ((r + s) % 7 == 0 ? kLate_s : 0) + 1e-9 * r;
    for (int r = 0; r < ranks_; ++r) {
      const int left = (r + ranks_ - 1) % ranks_;
      const double began = std::max(ready[r], ready[left]);
      call(r, kSendrecv, ready[r], began + kFlow_s, left, began);
    }
    if (s % 5 != 4) return;
    const double last = *std::max_element(at_.begin(), at_.end());
    for (int r = 0; r < ranks_; ++r) call(r, kAllreduce, at_[r], last + kReduce_s, 0, last);
  }

  int ranks_;
  std::vector<double> at_;
  std::vector<RankProfile> times_;
  std::vector<Event> events_;
  std::map<int, CallProfile> calls_;
  long messages_ = 0;
};

const std::vector<std::string> kFunctions = {"MPI_Init", "MPI_Sendrecv", "MPI_Allreduce", "MPI_Finalize"};

void write_text(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
}

void write_traffic(const fs::path& folder, const Topology& t, const Ring& ring, int ranks) {
  std::map<std::pair<int, int>, double> count;
  for (const Event& e : ring.events()) {
    if (e.kind == Event::Kind::kSend) ++count[{e.rank, e.other}];
  }
  std::vector<Flow> bytes, messages;
  std::vector<double> sent(ranks), received(ranks);
  for (const auto& [pair, n] : count) {
    bytes.push_back({pair.first, pair.second, n * kBytes});
    messages.push_back({pair.first, pair.second, n});
    sent[pair.first] += n;
    received[pair.second] += n;
  }
  write_text(folder / kBytesMatrixFile, format_matrix(Pattern(ranks, bytes), MatrixFormat::kMatrixMarket));
  write_text(folder / kMessagesMatrixFile, format_matrix(Pattern(ranks, messages), MatrixFormat::kMatrixMarket));
  std::vector<LinkTraffic> links;
  std::string samples = std::string(kSamplesHeading) + "\n";
  for (int core = 0; core < ranks; ++core) {
    for (const std::string direction : {"up", "down"}) {
      const double n = direction == "up" ? sent[core] : received[core];
      links.push_back({core_name(t, core), "Package", direction, 1e9, n * (kBytes + 16), static_cast<long>(n),
                       n * kFlow_s / ring.end()});
      if (core < 8) {
        samples += format_sample({ring.end() / 2, core_name(t, core), direction, n * kBytes / 4});
        samples += format_sample({ring.end(), core_name(t, core), direction, n * kBytes * 3 / 4});
      }
    }
  }
  for (int node = 0; node < t.num_nodes(); ++node) {
    for (const char* direction : {"up", "down"})
      links.push_back({"node" + std::to_string(node), std::string(kClusterName), direction, 5e9, 1e6 * (node + 1),
                       10L + node, 0.05 * (node % 10)});
  }
  write_text(folder / kLinksFile, format_links(links));
  write_text(folder / kSamplesFile, samples);
}

}  // namespace

MadeRun make_run(const fs::path& folder, const std::string& machine, int steps, double pause_s) {
  MadeRun run{.machine = machine_from_tree(machine),
              .ranks = {},
              .profile = {},
              .levels = {},
              .traffic = folder / "traffic",
              .events = folder / "run.events"};
  const Topology& t = *run.machine.topology;
  const int ranks = static_cast<int>(t.cores().size());
  run.ranks = place(t, ranks);
  const Ring ring(ranks, steps, pause_s);
  std::vector<int> cores(ranks);
  for (int r = 0; r < ranks; ++r) cores[r] = r;
  fs::create_directories(folder);
  EventWriter writer(run.events,
                     {.program = "ring", .machine = run.machine.name, .functions = kFunctions, .cores = cores});
  for (const Event& e : ring.events()) writer.write(e);
  writer.finish(ring.end());
  write_traffic(run.traffic, t, ring, ranks);
  run.profile = {.simulated_time = ring.end(), .ranks = ring.times(), .calls = {}, .endings = {}};
  for (const auto& [function, calls] : ring.calls()) {
    run.profile.calls.push_back(calls);
    run.profile.calls.back().call = kFunctions[function];
  }
  run.messages = ring.messages();
  run.bytes = static_cast<double>(ring.messages()) * kBytes;
  run.levels = {
      {"Package", static_cast<std::uint64_t>(ring.messages()), static_cast<std::uint64_t>(ring.messages()) * kBytes}};
  return run;
}

ProgramPage page_of(const MadeRun& run) {
  return {.program = "ring </script><b>\xe2\x80\xa8&",
          .command_line = {"strata", "exec", "--machine", "made", "--report", "ring.html", "--", "./ring"},
          .machine = run.machine,
          .ranks = run.ranks,
          .profile = run.profile,
          .levels = run.levels,
          .traffic = run.traffic,
          .events = run.events};
}

Results make_study(const fs::path& folder, const std::string& title) {
  Results results = small_results();
  results.folder = folder;
  if (!title.empty()) results.manifest.study.title = title;
  const std::string machine = "node:4 pack:2 core:4";
  for (const int point : {0, 3}) {
    const MadeRun run = make_run(folder / "made" / std::to_string(point), machine, 10);
    fs::create_directories((folder / traffic_path(point)).parent_path());
    fs::create_directories((folder / trace_path(point)).parent_path());
    fs::rename(run.traffic, folder / traffic_path(point));
    fs::rename(run.events, (folder / trace_path(point)).replace_extension(".events"));
    save_machine(run.machine, folder);
    write_text(folder / bindings_file(results.manifest.study, results.manifest.study.points()[point]),
               format_placement({.ranks = run.ranks}));
  }
  fs::remove_all(folder / "made");
  write_manifest(folder, results.manifest);
  write_records(folder, results.records);
  return results;
}

}  // namespace strata::analysis
