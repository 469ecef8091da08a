// SPDX-License-Identifier: LGPL-2.1-only
// The measurements and analyses of a scenario. Results contain a copy, so that a results folder can be read, checked
// and plotted without other files.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/json.h"
#include "base/words.h"
#include "records/launch.h"

namespace strata {

/// One parameter of the sweep: its name and its values (numbers or texts), in the order of the file. A value may be a
/// case: the name of a set of values for several parameters, which replace it.
struct Axis {
  std::string name;
  std::vector<Json> values;
  std::map<std::string, Json> cases = {};  // by value: an object; for all values of an axis or for none, with the same
                                           // parameters
};

/// A quantity that a program measures at a point.
struct Metric {
  std::string name;          // "computing"
  std::string unit;          // "s"
  std::string pattern = {};  // of the line with the value (printed_number.h); empty: the program prints it after
                             // @strata
};

/// A ratio of a metric between points that differ in one parameter only: at `over` divided by at `under`.
struct Derived {
  std::string name;         // "enhancement"
  std::string title;        // for axes of plots: "enhancement factor, native / hierarchical"
  std::string axis;         // "variant"
  Json over;                // "native"; null: each other value of the axis, which becomes a parameter of the ratio
  Json under;               // "hierarchical"
  std::string metric = {};  // empty: the study's metric; otherwise one of `also`
};

/// A model that predicts the metric, and the allowed relative difference of the simulation.
struct ModelCheck {
  std::string model;     // "hockney", "loggp"
  double tolerance = 0;  // 0.02 is 2 %
};

/// How the points of a claim become one number: the maximum; the minimum; the spread (maximum divided by minimum: 1 if
/// all are equal); the share of the points whose value, a ratio, is above 1 by more than a per cent; or the value of an
/// axis at the point with the minimum (the first of equal ones).
enum class Over { kMax, kMin, kSpread, kShareGaining, kArgmin };
inline constexpr Word<Over> kOverWords[] = {{Over::kMax, "max"},
                                            {Over::kMin, "min"},
                                            {Over::kSpread, "spread"},
                                            {Over::kShareGaining, "share_gaining"},
                                            {Over::kArgmin, "argmin"}};

/// The expected relation of our value to the paper's.
enum class Relation { kAbout, kAtLeast, kAtMost };
inline constexpr Word<Relation> kRelationWords[] = {
    {Relation::kAbout, "about"}, {Relation::kAtLeast, "at_least"}, {Relation::kAtMost, "at_most"}};

/// Why a claim is not reproduced.
enum class Missing {
  kNothing,     // not given
  kMemory,      // the memory that cores share, and caches
  kMechanism,   // another mechanism of the hardware or the MPI that is not simulated
  kParameter,   // a figure or a setting without a source
  kPaper,       // the paper does not specify it, or contradicts itself
  kImpossible,  // impossible on any machine as described
  kOurs,        // our implementation differs
};
inline constexpr Word<Missing> kMissingWords[] = {{Missing::kNothing, ""},
                                                  {Missing::kMemory, "memory"},
                                                  {Missing::kMechanism, "mechanism"},
                                                  {Missing::kParameter, "parameter"},
                                                  {Missing::kPaper, "paper"},
                                                  {Missing::kImpossible, "impossible"},
                                                  {Missing::kOurs, "ours"}};

/// What a paper claims about a quantity (a metric or a derived one) at the points that match `where`.
struct Claim {
  std::string id;
  std::string paper;  // "RR-9077, Section 7.2, Figure 5"
  std::string text;
  std::string quantity;
  Over over = Over::kMax;
  Json where = Json::object();  // parameter -> value, or a list of values, any of which matches
  double value = 0;             // the paper's number
  Relation relation = Relation::kAbout;
  double factor = 1;      // for `about`: reproduced if our value is between value / factor and value * factor
  std::string note;       // the known reasons for a difference
  std::string axis = {};  // for argmin: an axis of numbers
  Missing missing = Missing::kNothing;
};

/// A plot. There is one plot for each combination of parameters that it does not name. Three kinds:
///
/// - Lines: `y` (a metric or a derived quantity) over `x`, one line for each combination of the `series` parameters.
/// - Bars: for each value of `x`, the metrics of `stack` on top of each other, the first at the bottom; `y` names the
///   sum.
/// - A heat map: a cell for each value of `x` and of `rows`, coloured by `y`: red below 0, green above.
struct Plot {
  std::string name;
  std::string title;
  std::string x;
  std::string y;
  std::vector<std::string> series;
  bool log_x = true;
  bool log_y = true;
  std::vector<std::string> stack;
  std::string rows = {};  // a parameter; empty: not a heat map
  std::string band = {};  // a parameter; a line becomes a band from the minimum to the maximum over its values
};

/// A measurement before all others, whose value is an option of the program at each point.
struct Reference {
  int ranks = 0;                       // 0: one for each core
  std::vector<std::string> arguments;  // of the program, after those of the study
  std::string metric;                  // one of the metrics that it prints
  std::string option;                  // points get --OPTION VALUE
  std::optional<double> given;         // the value, if it was given instead of measured
};

struct Study {
  std::string scenario;
  std::string title;
  std::string program;                 // a name in the catalog, or a path as written in the scenario
  std::string build = {};              // the command that builds the program, if there is one
  std::string folder = {};             // the working directory, as written in the scenario; empty: a folder for each
                                       // point
  std::vector<std::string> arguments;  // of the program, before those of the sweep; may have names in braces
  std::string metric;                  // "time"
  std::string unit;                    // "s"
  std::string pattern = {};            // as Metric::pattern
  std::vector<Metric> also;            // other quantities that the program measures at each point
  int ranks = 0;                       // 0 if the sweep gives the number
  std::string progress;         // the policy of their progress threads; empty if there are none or the sweep gives it
  std::string shim = kShimOff;  // if the sweep does not give it
  std::string mpi = {};         // whose collectives SMPI has, if the sweep does not give it; empty: SMPI's own
  std::string mpi_rules = {};   // its file of rules, as written in the scenario, if the sweep does not give it
  std::map<std::string, std::string> rule_hashes = {};  // by file of rules, as written: of its text
  std::string allocation = {};  // the nodes of the job (platforms/allocation.h), if the sweep does not give them
  std::vector<Axis> sweep;
  std::vector<std::string> varies = {};  // parameters that the program itself varies within a point
  std::optional<Reference> reference;
  std::vector<Derived> derived;
  std::vector<ModelCheck> models;
  std::vector<Claim> claims;
  std::vector<Plot> plots;
  bool traces = false;          // record what each core does at each point (record.h)
  std::string traffic = "off";  // in the form that traffic_of reads
  Engine engine = Engine::kSimulation;
  bool error_bars = false;  // records say how far their times may be off (recorded_bar.h)
  /// By parameter: the figures of the machine that it sets (what_if.h). The program does not get such a parameter.
  std::map<std::string, std::vector<std::string>> figures = {};

  /// The metric and all of `also`.
  std::vector<Metric> metrics() const;
  /// The points of the sweep: the product of the axes, the first one slowest. Without axes, one empty point.
  std::vector<Json> points() const;
  /// The point with each case replaced by its parameters.
  Json parameters_of(const Json& point) const;
  /// The arguments with names in braces replaced by the values of `parameters`. {ranks} is replaced by `ranks` if they
  /// do not contain it.
  std::vector<std::string> arguments_at(const Json& parameters) const;
  /// The parameters that arguments name in braces. The program does not get options for them.
  std::set<std::string> named_in_arguments() const;
  /// Whether parameters of the sweep, including those of cases, set the number of ranks.
  bool sweeps_ranks() const { return sweeps(kRanksAxis); }
  /// The same for the policy of their progress threads.
  bool sweeps_progress() const { return sweeps(kProgressAxis); }
  /// The same for the Cartesian shim.
  bool sweeps_shim() const { return sweeps(kShimAxis); }
  /// Whether ranks have progress threads at any point.
  bool has_progress_threads() const { return !progress.empty() || sweeps_progress(); }
  /// "240"; if the sweep sets the number, "32 to 63" or "8, 16".
  std::string ranks_text() const;

 private:
  bool sweeps(const std::string& parameter) const;
};

Json to_json(const Study& study);
/// Throws nlohmann's exceptions, or std::invalid_argument for an unknown word, for a document that to_json did not
/// write.
Study study_from_json(const Json& json);

}  // namespace strata
