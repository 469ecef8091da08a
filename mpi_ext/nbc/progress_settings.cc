// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/nbc/progress_settings.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>

#include "models/split_tree.h"
#include "mpi_ext/coll/arguments.h"
#include "mpi_ext/context/attribute.h"
#include "mpi_ext/context/context.h"
#include "mpi_ext/hierarchy/info.h"
#include "mpi_ext/hierarchy/member_data.h"
#include "mpi_ext/mpix.h"

namespace strata::mpix {
namespace {

struct Malformed {};

// The value of a key, converted to a number by `read`, which throws Malformed; empty if the key is missing.
template <class Read>
std::optional<std::int64_t> value_of(MPI_Info info, const char* key, const Read& read) {
  const std::optional<std::string> text = info_value(info, key);
  return text ? std::optional<std::int64_t>(read(*text)) : std::nullopt;
}

int read_number(const std::string& text, int least) {
  int number = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < least) throw Malformed{};
  return number;
}

int read_steps(const std::string& text) {
  if (text == "auto") return Settings::kAuto;
  return text == "all" ? Settings::kAll : read_number(text, 0);
}

int read_arity(const std::string& text) { return read_number(text, 2); }

// 1 for the first word, 0 for the second.
auto one_of(const char* first, const char* second) {
  return [=](const std::string& text) {
    if (text != first && text != second) throw Malformed{};
    return text == first ? 1 : 0;
  };
}

using Values = std::array<std::optional<std::int64_t>, 4>;

// In the order of the members of Settings. Throws Malformed.
Values read_values(MPI_Info info) {
  return {value_of(info, "mpix_steps", read_steps), value_of(info, "mpix_arity", read_arity),
          value_of(info, "mpix_tree", one_of("nodes", "flat")), value_of(info, "mpix_check", one_of("true", "false"))};
}

// Collective. If a value is wrong or differs between processes, throws Unreported with MPI_ERR_INFO on all processes.
Values agree_on_values(MPI_Info info, MPI_Comm comm) {
  constexpr std::int64_t kMissing = -2;
  Agreement agreement;
  Values values{};
  try {
    values = read_values(info);
  } catch (const Malformed&) {
    agreement.fail(MPI_ERR_INFO);
  }
  bool same = true;
  for (const auto& value : values) agreement.add(value.value_or(kMissing));
  agreement.reach(comm);
  for (size_t i = 0; i < values.size(); ++i) same = same && agreement.same(i);
  check(agreement.error());
  if (!same) check(MPI_ERR_INFO);
  return values;
}

NbcCase over_tree(NbcCase what, const Settings& settings, const Team& team) {
  what.arity = settings.arity;
  if (settings.over_nodes) what.node_of_rank = team.node_of_rank();
  return what;
}

models::Direction direction_of(Nbc collective) {
  if (collective == Nbc::kAllreduce) return models::Direction::kThereAndBack;
  const bool up = collective == Nbc::kReduce || collective == Nbc::kGather;
  return up ? models::Direction::kAllToOne : models::Direction::kOneToAll;
}

// With a tree over nodes, the lowest levels are within a node, so the model is of one node. A flat tree is modelled on
// all cores of the members.
int modelled_steps(const NbcCase& what, const Team& team) {
  const bool over_nodes = is_over_nodes(what);
  const int ranks = over_nodes ? team.most_ranks_on_a_node() : team.size();
  const int communicate = over_nodes ? team.fewest_communication_cores() : team.communication_cores();
  if (communicate == 0) return 0;
  const bool doubling = what.collective == Nbc::kScatter || what.collective == Nbc::kGather;
  const models::SplitTree tree{.cores = ranks + communicate,
                               .ranks = ranks,
                               .arity = what.arity,
                               .weight = doubling ? models::Weight::kDoubling : models::Weight::kConstant,
                               .direction = direction_of(what.collective)};
  return models::best_steps(tree, models::balanced_computation(tree));
}

}  // namespace

Settings settings_of(MPI_Comm comm) {
  const Settings* settings = CommAttribute<Settings>::find(comm);
  return settings == nullptr ? Settings{} : *settings;
}

void shape(NbcCase& what, const Settings& settings, const Team& team) {
  what = over_tree(what, settings, team);
  const int most = most_steps(what);
  if (most == 0) return;
  what.steps = std::min(most, settings.steps == Settings::kAuto ? modelled_steps(what, team) : settings.steps);
}

}  // namespace strata::mpix

extern "C" int MPIX_Comm_set_progress(MPI_Comm comm, MPI_Info info) {
  using namespace strata::mpix;  // NOLINT: the library itself
  return on_intracomm(comm, [&](int size) {
    const std::shared_ptr<Team> team = team_of(comm);
    const auto [steps, arity, over_nodes, checked] = agree_on_values(info, context_of(comm));
    Settings settings = settings_of(comm);
    if (steps) settings.steps = static_cast<int>(*steps);
    if (arity) settings.arity = static_cast<int>(*arity);
    if (over_nodes) settings.over_nodes = *over_nodes != 0;
    if (checked) settings.check = *checked != 0;
    const NbcCase any{.collective = Nbc::kBcast, .rank = team->rank(), .size = size};
    if (settings.steps != Settings::kAll && settings.steps > most_steps(over_tree(any, settings, *team))) {
      check(MPI_ERR_INFO);
    }
    CommAttribute<Settings>::set(comm, settings);
  });
}
