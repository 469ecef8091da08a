// SPDX-License-Identifier: LGPL-2.1-only
#include "collectives/chosen/chosen.h"

#include <fmt/format.h>

#include "base/error.h"
#include "collectives/rules/csel_file.h"
#include "collectives/rules/mpich_decisions.h"
#include "collectives/rules/mpich_variables.h"
#include "collectives/rules/openmpi_algorithms.h"
#include "collectives/schedules/han.h"
#include "collectives/schedules/mpich.h"
#include "collectives/schedules/open_mpi.h"

namespace strata::collectives {
namespace {

// coll_tuned_bcast_algorithm_knomial_radix, coll_tuned_bcast_decision.c, Open MPI 4.1.4.
constexpr int kRadix = 4;
constexpr int kKNomial = 7;              // of the broadcasts
constexpr const char* kTuned = "tuned";  // among HAN's components
constexpr int kLinear = 1;               // of the scans: what the component basic has, coll_basic_scan.c

Call as_seen_by_library(const Collective& c) {
  Call call = {.operation = c.operation,
               .ranks = c.ranks,
               .bytes = c.count * c.element_bytes,
               .type_bytes = c.element_bytes,
               .is_commutative = c.commutative,
               .is_built_in = c.commutative && c.built_in,
               .is_in_place = c.in_place};
  // Of MPI_Alltoallv, a rank knows only its own row of the counts. MPICH looks at its sum, Open MPI at none.
  if (!c.counts.empty() && c.operation != Operation::kAlltoallv) {
    std::int64_t sum = 0;
    for (const std::int64_t count : c.counts) sum += count;
    call.bytes = sum * c.element_bytes / static_cast<std::int64_t>(c.counts.size());
    for (const std::int64_t count : c.counts) call.are_blocks_equal = call.are_blocks_equal && count == c.counts[0];
  }
  if (!c.nodes.empty()) call.nodes = num_nodes(c);
  return call;
}

// A chain without a fan-out is one chain.
Settings settings_of(Operation operation, const Choice& choice) {
  Settings settings = {
      .segment_bytes = choice.segment_bytes, .fanout = choice.faninout, .requests = choice.max_requests.value_or(0)};
  if (operation == Operation::kBcast && choice.algorithm == kKNomial) settings.fanout = kRadix;
  return settings;
}

// MPIR_CVAR_ALLTOALL_THROTTLE, src/mpi/coll/cvars.txt, MPICH 4.0.2.
constexpr int kThrottle = 32;

// Whether MPICH could not use an algorithm that a rule chooses. Its own tree has the scan over nodes for operations
// that do not commute, too.
bool is_unsuitable(const MpichAlgorithm& a, const Collective& call) {
  return a.need == MpichNeed::kConsecutiveNodes ? !has_consecutive_nodes(call) : !a.suits(call);
}

Chosen of_mpich(const Collective& call, Decision decision) {
  Chosen chosen = {std::move(decision)};
  chosen.settings.requests = kThrottle;
  const MpichAlgorithm* a = find_mpich(call.operation, chosen.decision.name);
  if (a == nullptr) return chosen;
  const Decision& d = chosen.decision;
  if (d.by == Decision::By::kRule && is_unsuitable(*a, call)) {
    throw InputError(
        fmt::format("{}:{}", d.file, d.line),
        fmt::format("{} does not suit a {} of {} ranks: MPICH ends in an assertion", d.name, name_of(call.operation),
                    call.ranks),
        "add a test before it, such as comm_size=pow2 or comm_hierarchy=parent, or choose another algorithm");
  }
  chosen.algorithm = a->generate;
  return chosen;
}

Generator generator_of(const OpenMpiAlgorithm* a) { return a == nullptr ? nullptr : a->generate; }

Chosen of_open_mpi(Operation operation, const Library& library, int number) {
  Chosen chosen;
  chosen.decision.choice.algorithm = number;
  chosen.decision.name = tuned_algorithms(operation, library)[number];
  chosen.settings = settings_of(operation, chosen.decision.choice);
  chosen.algorithm = generator_of(find_open_mpi(operation, number));
  return chosen;
}

// HAN has priority 35, tuned 30 (coll_han_component.c, coll_tuned_component.c, Open MPI 5.0.7); in 4.1 HAN has 0.
bool prefers_han(const Library& library, const RuleFile* rules) {
  const bool has_han_rules = rules != nullptr && rules->format == Format::kHan;
  return library.is_openmpi() && library.from(5) && !has_han_rules;
}

Chosen of_han(Operation operation) {
  Chosen chosen;
  chosen.decision.by = Decision::By::kFixed;
  chosen.decision.name = "han";
  chosen.decision.why = "HAN has a higher priority than tuned on several nodes with several ranks each";
  chosen.settings.fanout = 0;
  if (han_has_segments(operation)) chosen.settings.segment_bytes = kHanSegmentBytes;
  chosen.algorithm = find_han(operation);
  return chosen;
}

bool is_scan(Operation operation) { return operation == Operation::kScan || operation == Operation::kExscan; }

}  // namespace

bool can_replace_smpis(const std::string& library) {
  try {
    return Chooser::knows(parse_library(library, ""));
  } catch (const InputError&) {
    return false;
  }
}

bool Chooser::knows(const Library& library) {
  if (library.is_openmpi()) return !library.from(6);
  return library.major == 4 && (library.minor == 0 || library.minor == 2);
}

Chosen Chooser::choose(const Collective& c) const {
  Call call = as_seen_by_library(c);
  if (!library_.is_openmpi()) {
    call.nodes = num_nodes(c);
    call.are_consecutive = has_consecutive_nodes(c);
    return of_mpich(c, look_up_mpich(library_, call, rules_, !not_composed_.contains(c.operation)));
  }
  if (prefers_han(library_, rules_) && han_does(c)) return of_han(c.operation);
  Chosen chosen = {rules_ == nullptr ? look_up_fixed(library_, call) : look_up(*rules_, library_, call)};
  Decision& d = chosen.decision;
  if (rules_ != nullptr && rules_->format == Format::kHan) {
    if (d.choice.component != kTuned) {
      d.name = d.choice.component.empty() ? "that HAN's parameters say" : "of component " + d.choice.component;
      return chosen;
    }
    const std::string why = d.why;
    d = look_up_fixed(library_, call);
    d.why = "HAN's rule " + why + ": " + d.why;
  }
  if (is_scan(c.operation) && d.choice.algorithm == 0) {
    d.by = Decision::By::kFixed;
    d.choice.algorithm = kLinear;
    d.name = tuned_algorithms(c.operation, library_)[kLinear];
  }
  chosen.settings = settings_of(c.operation, d.choice);
  chosen.algorithm = generator_of(find_open_mpi(c.operation, d.choice.algorithm));
  return chosen;
}

std::vector<Chosen> Chooser::alternatives(const Collective& call) const {
  std::vector<Chosen> all;
  if (library_.is_openmpi()) {
    if (prefers_han(library_, rules_) && han_does(call)) all.push_back(of_han(call.operation));
    for (const OpenMpiAlgorithm& a : open_mpi_algorithms()) {
      if (a.operation != call.operation || (a.only_two_ranks && call.ranks != 2)) continue;
      all.push_back(of_open_mpi(a.operation, library_, a.number));
    }
    return all;
  }
  for (const MpichAlgorithm& a : mpich_algorithms()) {
    if (a.operation != call.operation || !a.suits(call)) continue;
    if (!has_mpich_algorithm(name_of(a.operation), a.name, library_)) continue;
    all.push_back(of_name(call, a.name));
  }
  return all;
}

Chosen Chooser::of_number(Operation operation, int number) const { return of_open_mpi(operation, library_, number); }

Chosen Chooser::of_name(const Collective& call, const std::string& name) const {
  Decision d;
  d.name = d.choice.name = name;
  return of_mpich(call, d);
}

std::string Chooser::variables(Operation operation, const Decision& algorithm) const {
  const std::string name = name_of(operation);
  if (library_.is_openmpi()) {
    if (algorithm.choice.algorithm == 0) return "";
    return fmt::format("{}OMPI_MCA_coll_tuned_use_dynamic_rules=1 OMPI_MCA_coll_tuned_{}_algorithm={}",
                       prefers_han(library_, rules_) ? "OMPI_MCA_coll=^han " : "", name, algorithm.choice.algorithm);
  }
  const std::string_view value = mpich_value(algorithm.name);
  if (value.empty()) return "";
  const std::string device = device_variable(operation);
  const std::string collective = device.substr(0, device.rfind("_DEVICE"));
  return fmt::format("{}=0 {}_INTRA_ALGORITHM={}", device, collective, value);
}

void Chooser::append(const Chosen& chosen, const Collective& call, int rank, Steps& steps) const {
  // MPICH returns at once from calls without data.
  const bool has_data = call.count > 0 || !call.counts.empty() || call.operation == Operation::kBarrier;
  if (!library_.is_openmpi() && !has_data) return;
  Settings settings = chosen.settings;
  settings.part = [&](const Collective& part, int r, Steps& into) {
    const Chosen of_part = choose(part);
    if (of_part.algorithm == nullptr) {
      throw InputError(
          name_of(part.operation),
          fmt::format("algorithm {} {} has no schedule here", of_part.decision.choice.algorithm, of_part.decision.name),
          "the algorithms that have one: strata collectives explain --help");
    }
    append(of_part, part, r, into);
  };
  chosen.algorithm(call, settings, rank, steps);
}

}  // namespace strata::collectives
