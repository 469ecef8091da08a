// SPDX-License-Identifier: LGPL-2.1-only
// What a scenario measures and what is to be made of it: the part of a scenario that its results carry with them, so
// that a results folder can be read, checked and drawn without anything else.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "platforms/words.h"
#include "records/json.h"
#include "records/launch.h"

namespace strata {

/// One parameter of the sweep: its name and its values, numbers or texts, in the order of the file. A value may be a
/// case, the name of several parameters that go together: what they are then stands for it.
struct Axis {
  std::string name;
  std::vector<Json> values;
  std::map<std::string, Json> cases = {};  // by value: an object; of an axis all or none, with the same parameters
};

/// What a program measures at a point.
struct Metric {
  std::string name;          // "computing"
  std::string unit;          // "s"
  std::string pattern = {};  // of the line that has it (printed_number.h); empty: the program prints it after @strata
};

/// A ratio of a metric between points that differ in one parameter only: at `over` divided by at `under`.
struct Derived {
  std::string name;         // "enhancement"
  std::string title;        // for axes: "enhancement factor, native / hierarchical"
  std::string axis;         // "variant"
  Json over;                // "native"; null: every other value of the axis, which the ratio then keeps as its own
  Json under;               // "hierarchical"
  std::string metric = {};  // another than the study's: one of `also`
};

/// A model that predicts the metric, and how far (relative) the simulation may be from it.
struct ModelCheck {
  std::string model;     // "hockney", "loggp"
  double tolerance = 0;  // 0.02 is 2 %
};

/// How the points that a claim is about become one number: the largest, the least, the spread (the largest divided by
/// the least: 1 where all are the same), the share of the points whose value, a ratio, is above 1 by more than a per
/// cent, or the value of an axis at the point with the least (of equals the first).
enum class Over { kMax, kMin, kSpread, kShareGaining, kArgmin };
inline constexpr Word<Over> kOverWords[] = {{Over::kMax, "max"},
                                            {Over::kMin, "min"},
                                            {Over::kSpread, "spread"},
                                            {Over::kShareGaining, "share_gaining"},
                                            {Over::kArgmin, "argmin"}};

/// How our value is to be to the paper's.
enum class Relation { kAbout, kAtLeast, kAtMost };
inline constexpr Word<Relation> kRelationWords[] = {
    {Relation::kAbout, "about"}, {Relation::kAtLeast, "at_least"}, {Relation::kAtMost, "at_most"}};

/// Why a claim is not reproduced.
enum class Missing {
  kNothing,     // not stated
  kMemory,      // the memory that cores share, and caches
  kMechanism,   // something else of the hardware or the MPI that the simulation does not have
  kParameter,   // a figure or a setting that no source gives
  kPaper,       // the paper leaves it open, or contradicts itself
  kImpossible,  // no machine as described can do it
  kOurs,        // our implementation differs
};
inline constexpr Word<Missing> kMissingWords[] = {{Missing::kNothing, ""},
                                                  {Missing::kMemory, "memory"},
                                                  {Missing::kMechanism, "mechanism"},
                                                  {Missing::kParameter, "parameter"},
                                                  {Missing::kPaper, "paper"},
                                                  {Missing::kImpossible, "impossible"},
                                                  {Missing::kOurs, "ours"}};

/// What a paper says of a quantity, which is a metric or a derived one, at the points that match `where`.
struct Claim {
  std::string id;
  std::string paper;  // "RR-9077, Section 7.2, Figure 5"
  std::string text;
  std::string quantity;
  Over over = Over::kMax;
  Json where = Json::object();  // parameter -> value, or a list of values of which any will do
  double value = 0;             // the paper's number
  Relation relation = Relation::kAbout;
  double factor = 1;      // of `about`: reproduced where ours is between value / factor and value * factor
  std::string note;       // what is known of a difference
  std::string axis = {};  // of argmin: one of numbers
  Missing missing = Missing::kNothing;
};

/// A plot: `y` (a metric, a derived quantity) over `x`, a line for each combination of the `series` parameters, a
/// plot for each combination of the parameters that are neither. Or bars: for each value of `x` the metrics that
/// `stack` names upon each other, from the bottom; `y` then names what they add up to. Or a heat map: a cell for each
/// value of `x` and of `rows`, coloured by `y`; those below 0 red, those above green.
struct Plot {
  std::string name;
  std::string title;
  std::string x;
  std::string y;
  std::vector<std::string> series;
  bool log_x = true;
  bool log_y = true;
  std::vector<std::string> stack;
  std::string rows = {};  // a parameter; empty: no heat map
  std::string band = {};  // a parameter over whose values a line becomes a band, from the least to the largest
};

/// A measurement before all others, whose value every point's program is given.
struct Reference {
  int ranks = 0;                       // 0: one for each core
  std::vector<std::string> arguments;  // of the program, after the study's
  std::string metric;                  // which of those that it prints
  std::string option;                  // given to the points as --OPTION VALUE
  std::optional<double> given;         // the value, where it was given and is not measured
};

struct Study {
  std::string scenario;
  std::string title;
  std::string program;                 // a name of the catalog, or a path as the scenario has it
  std::string build = {};              // the command that makes the program, if there is one
  std::string folder = {};             // where it runs, as the scenario has it; empty: in a folder of each point's own
  std::vector<std::string> arguments;  // of the program, before those of the sweep; with names in braces
  std::string metric;                  // "time"
  std::string unit;                    // "s"
  std::string pattern = {};            // as Metric's
  std::vector<Metric> also;            // what else the program measures at each point
  int ranks = 0;                       // 0 where the sweep says how many
  std::string progress;         // the policy of their progress threads; empty where there are none or the sweep says it
  std::string shim = kShimOff;  // where the sweep does not say it
  std::string allocation = {};  // the nodes that the job has (platforms/allocation.h), where the sweep does not say it
  std::vector<Axis> sweep;
  std::vector<std::string> varies = {};  // parameters that the program itself varies within a point
  std::optional<Reference> reference;
  std::vector<Derived> derived;
  std::vector<ModelCheck> models;
  std::vector<Claim> claims;
  std::vector<Plot> plots;
  bool traces = false;          // keep what each core was busy with, point by point (record.h)
  std::string traffic = "off";  // what traffic_of reads
  Engine engine = Engine::kSimulation;
  /// By parameter: the figures of the machine that have its values (what_if.h). Such a parameter is not the program's.
  std::map<std::string, std::vector<std::string>> figures = {};

  /// The metric and all that is in `also`.
  std::vector<Metric> metrics() const;
  /// The points of the sweep: the product of the axes, the first one slowest. One empty point where there is no axis.
  std::vector<Json> points() const;
  /// What the values of a point stand for: the same, with the parameters of each case in its place.
  Json parameters_of(const Json& point) const;
  /// The arguments with the values of these parameters in the place of their names, and `ranks` in that of {ranks}
  /// where no parameter says it.
  std::vector<std::string> arguments_at(const Json& parameters) const;
  /// The parameters that arguments name in braces. The program gets no option for them.
  std::set<std::string> named_in_arguments() const;
  /// Whether parameters of the sweep, those of cases included, say how many ranks there are.
  bool sweeps_ranks() const { return sweeps(kRanksAxis); }
  /// The same of the policy of their progress threads.
  bool sweeps_progress() const { return sweeps(kProgressAxis); }
  /// The same of the Cartesian shim.
  bool sweeps_shim() const { return sweeps(kShimAxis); }
  /// Whether ranks have progress threads, at some points or all.
  bool has_progress_threads() const { return !progress.empty() || sweeps_progress(); }
  /// "240"; where the sweep says how many "32 to 63", or "8, 16".
  std::string ranks_text() const;

 private:
  bool sweeps(const std::string& parameter) const;
};

Json to_json(const Study& study);
/// Throws nlohmann's exceptions, or std::invalid_argument for an unknown word, on a document that to_json did not
/// write.
Study study_from_json(const Json& json);

}  // namespace strata
