// strata model: what the models predict for a broadcast on a machine, or how well they describe the simulated machine.
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdio>
#include <memory>

#include "models/prediction.h"
#include "platforms/error.h"
#include "sim/command/command.h"
#include "sim/command/fit.h"
#include "sim/record/study.h"

namespace strata::command {
namespace {

struct Options {
  MachineOptions machine;
  std::string algorithm = "linear", variant = "native";
  int root = 0;
  std::vector<double> elements = {1, 1000, 1000000};
  bool fit = false, json = false;
};

// What is wrong with a number of elements; empty where nothing is.
std::string elements_fault(const std::string& text) {
  constexpr double kMost = 1e15;  // every whole number up to here is a double
  double value = -1;
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, value);
  const bool sound = error == std::errc() && at == end && value >= 0 && value <= kMost && value == std::floor(value);
  return sound ? "" : "'" + text + "' is not a whole number from 0 to 1e15";
}

int fit(const Options& o) {
  const sim::Installation installation = sim::find_installation();
  const Machine machine = o.machine.load(installation);
  const std::vector<models::LevelFit> fits = fit_machine(machine, installation);
  const bool agree = fits_agree(fits);
  if (!o.json) {
    std::fputs(fit_table(fits).c_str(), stdout);
  } else {
    Json document = {
        {"schema", "strata.fit/1"}, {"machine", machine.name}, {"tolerance", kFitTolerance}, {"agree", agree}};
    for (const models::LevelFit& f : fits) {
      document["levels"].push_back({{"level", f.level},
                                    {"latency_s", f.fitted.latency.value},
                                    {"bandwidth_bytes_per_s", f.fitted.bandwidth.value},
                                    {"machine_latency_s", f.latency.value},
                                    {"machine_bandwidth_bytes_per_s", f.bandwidth.value},
                                    {"latency_difference", f.latency_difference},
                                    {"bandwidth_difference", f.bandwidth_difference}});
    }
    std::fputs((document.dump(2) + "\n").c_str(), stdout);
  }
  if (!agree) std::fputs("strata: the fit differs from the machine's description by more than 1 %\n", stderr);
  return agree ? 0 : 1;
}

int predict(const Options& o) {
  const Machine machine = o.machine.load(sim::find_installation());
  const std::vector<Binding> ranks = o.machine.place_on(machine);
  if (o.root < 0 || o.root >= static_cast<int>(ranks.size())) {
    throw InputError("--root", fmt::format("{} is no rank", o.root), fmt::format("give 0 to {}", ranks.size() - 1));
  }
  Json document = {{"schema", "strata.model/1"},  {"machine", machine.name}, {"np", ranks.size()},
                   {"algorithm", o.algorithm},    {"variant", o.variant},    {"root", o.root},
                   {"predictions", Json::array()}};
  for (const double elements : o.elements) {
    const models::BroadcastCase what{o.algorithm, o.variant, o.root, 4 * elements};
    for (const bool hockney : {true, false}) {
      const models::Prediction p =
          hockney ? models::predict_hockney(machine, ranks, what) : models::predict_loggp(machine, ranks, what);
      document["predictions"].push_back({{"model", hockney ? "hockney" : "loggp"},
                                         {"elements", elements},
                                         {"time_s", p.time.value},
                                         {"outside", p.outside.empty() ? Json() : Json(p.outside)}});
    }
  }
  if (o.json) {
    std::fputs((document.dump(2) + "\n").c_str(), stdout);
    return 0;
  }
  fmt::print("{} broadcast, {}, {} ranks on {}\n{:>10}  {:<8}{:>14}  {}\n", o.algorithm, o.variant, ranks.size(),
             machine.name, "elements", "model", "time us", "outside the model's assumptions");
  for (const Json& p : document["predictions"]) {
    fmt::print("{:>10}  {:<8}{:>14.4f}  {}\n", p["elements"].get<double>(), p["model"].get<std::string>(),
               p["time_s"].get<double>() * 1e6, p["outside"].is_null() ? "" : p["outside"].get<std::string>());
  }
  return 0;
}

}  // namespace

void add_model(CLI::App& app, Action& action) {
  auto o = std::make_shared<Options>();
  CLI::App* sub = app.add_subcommand("model", "Predictions of a broadcast by Hockney's model and LogGP; or --fit");
  o->machine.add_machine(*sub);
  o->machine.add_placement(*sub);
  sub->add_option("--algorithm", o->algorithm, "linear (default), binomial")
      ->check(CLI::IsMember({"linear", "binomial"}));
  sub->add_option("--variant", o->variant, "native (default), hierarchical")
      ->check(CLI::IsMember({"native", "hierarchical"}));
  sub->add_option("--root", o->root, "rank that has the message (default 0)");
  sub->add_option("--elements", o->elements, "message sizes in elements of 4 bytes, separated by commas")
      ->delimiter(',')
      ->check(CLI::Validator(elements_fault, "WHOLE", "elements"));
  sub->add_flag("--fit", o->fit,
                "fit alpha and beta of every level to simulated ping-pongs; exit 1 where they differ by > 1 %");
  sub->add_flag("--json", o->json, "one JSON document");
  sub->footer(
      "Examples:\n  strata model --machine ntw10e5 --algorithm binomial --variant hierarchical\n"
      "  strata model --machine ntw10e5 --fit");
  sub->callback([o, &action] { action = [o] { return o->fit ? fit(*o) : predict(*o); }; });
}

}  // namespace strata::command
