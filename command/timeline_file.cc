// SPDX-License-Identifier: LGPL-2.1-only
// strata replay timeline: converts recorded events for other tools, or prints where the time went.
#include "command/timeline_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>

#include "analysis/call_times.h"
#include "analysis/time_report.h"
#include "base/error.h"
#include "records/folder.h"
#include "records/launch.h"
#include "records/record.h"
#include "records/samples.h"
#include "records/timeline/timeline.h"

namespace strata::command {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::string input, out, format;
  MachineOptions machine;
  TimelineWords words;
  int point = 0;
};

// The input of a timeline.
struct Input {
  fs::path events;
  Machine machine;
  LinkRates rates = {};
};

Input of_folder(const Options& o) {
  const fs::path folder = o.input;
  const Results results = load_results(folder);
  const fs::path events = folder / events_path(o.point);
  std::error_code ignored;
  if (!fs::exists(events, ignored)) {
    throw InputError(folder.string(), fmt::format("has no events of point {}", o.point),
                     "run the scenario with --set traces=true, or give another --point");
  }
  Input input{events, load_machine(folder / "machine.yaml", NodeImport::kDirect)};
  const fs::path samples = folder / traffic_path(o.point) / kSamplesFile;
  const std::optional<Traffic> traffic = traffic_of(results.manifest.study.traffic);
  if (traffic && traffic->period_s > 0 && fs::exists(samples, ignored))
    input.rates = {traffic->period_s, read_samples(samples)};
  return input;
}

// A file of events names its machine. If this is not in the catalog, the user has to give it.
Machine machine_of(const Options& o, const sim::Installation& installation) {
  if (o.machine.has_machine()) return o.machine.load(installation);
  const std::string name = EventReader(o.input).header().machine;
  const std::vector<std::string> names = catalog_names(installation.machines);
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    throw InputError(o.input, "the run's machine, '" + name + "', is not in the catalog",
                     "give it with --machine, or --xml and --nodes");
  }
  return find_machine(name, installation.machines);
}

int timeline(const Options& o) {
  std::optional<TimelineFormat> format;
  if (!o.out.empty()) {
    format = timeline_format(o.format, o.out, "--out");
    check_timeline_place(*format, o.out);
  }
  std::error_code ignored;
  const Input input =
      fs::is_directory(o.input, ignored) ? of_folder(o) : Input{o.input, machine_of(o, sim::find_installation())};
  const auto ranks = static_cast<int>(EventReader(input.events).header().cores.size());
  EventTimeline events(input.events, select(o.words, ranks));
  const RankPlaces places(input.machine, events.header().cores, input.events.string());
  if (format) {
    write_timeline(events, places, *format, o.out, input.rates);
    std::fprintf(stderr, "wrote %s\n", o.out.c_str());
  } else {
    std::fputs(analysis::call_times(events).c_str(), stdout);
    // The critical path covers the whole run, so it is only printed for the whole run.
    const TimelineWords& w = o.words;
    if (w.from.empty() && w.to.empty() && w.ranks.empty())
      std::fputs(("\n" + analysis::time_text(analysis::time_report(input.events, &input.machine))).c_str(), stdout);
  }
  return 0;
}

}  // namespace

void add_timeline_window(cli::App& app, TimelineWords& words) {
  const auto name = [&](const char* option) { return words.prefix + option; };
  app.add_option(name("from"), words.from, "show the run from this time on, such as 1ms");
  app.add_option(name("to"), words.to, "show it up to this time");
  app.add_option(name("ranks"), words.ranks, "show these ranks only, such as 0-63,128");
  app.add_flag(name("messages"), words.messages, "show messages as arrows (an OTF2 archive always has them)");
}

void check_timeline(const TimelineWords& words, int ranks, const fs::path& file) {
  check_timeline_place(timeline_format("", file, "--timeline"), file);
  select(words, ranks);
}

void write_timeline_of(const EventStore& events, const Machine& machine, const TimelineWords& words,
                       const fs::path& file) {
  const auto ranks = static_cast<int>(EventReader(events).header().cores.size());
  EventTimeline timeline(events, select(words, ranks));
  const RankPlaces places(machine, timeline.header().cores, events.name());
  write_timeline(timeline, places, timeline_format("", file, "--timeline"), file, {});
}

void add_timeline(cli::App& app, Action& action) {
  auto o = std::make_shared<Options>();
  cli::App* sub =
      app.add_subcommand("timeline", "Show what each rank did, when: a timeline for ViTE, Perfetto or Vampir");
  sub->add_option("FILE.events|DIR", o->input, "recorded events, or a results folder of a scenario with traces")
      ->required();
  sub->add_option("--out", o->out,
                  "write a timeline: .paje (ViTE), .json or .json.gz (ui.perfetto.dev), .otf2 (Vampir; a folder). "
                  "Without it: where the time went")
      ->writes(cli::Written::kFileOrFolder);
  sub->add_option("--format", o->format, "paje, chrome or otf2, where the name does not say it")
      ->suggests({"paje", "chrome", "otf2"});
  add_timeline_window(*sub, o->words);
  sub->add_option("--point", o->point, "of a results folder: the point of the sweep (default 0)")
      ->check(cli::NonNegativeNumber);
  o->machine.add_machine(*sub);
  sub->footer(
      "A file of events names its machine. Give --machine, or --xml and --nodes, if it is not in the catalog.\n"
      "Examples:\n  strata replay timeline app.events\n"
      "  strata replay timeline app.events --out app.json.gz\n"
      "  strata replay timeline app.events --out app.paje --from 1ms --to 2ms --ranks 0-63,128 --messages\n"
      "  strata run SCENARIO --set traces=true --out results && strata replay timeline results --point 2 --out "
      "run.otf2");
  sub->callback([o, &action] { action = [o] { return timeline(*o); }; });
}

}  // namespace strata::command
