#include "mpi_ext/cart/known_places.h"

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include "mpi_ext/adapter/share.h"
#include "mpi_ext/cart/paths.h"
#include "mpi_ext/cart/settings.h"
#include "mpi_ext/coll/attribute.h"
#include "mpi_ext/hierarchy/members.h"
#include "mpi_ext/ranks.h"

namespace strata::mpix {
namespace {

using Kept = CommAttribute<std::shared_ptr<const KnownPlaces>>;

// What a process tells the others of where it is.
struct Told {
  static constexpr size_t kLevels = 12;  // inside a node; hwloc knows 13 types of objects, few nodes have half of them
  static constexpr size_t kNameLength = 12;  // "NUMANode", "Package", "Group0", "L3"
  struct Level {
    std::array<char, kNameLength> name{};
    std::int32_t instance = 0;
  };
  std::uint64_t node = 0, tree = 0;
  std::int64_t levels = 0;
  std::array<Level, kLevels> level{};
};

Told told_of(const Where& mine) {
  const Topology& t = *mine.topology;
  Told told{mine.place.node_key, mine.place.tree, 0, {}};
  for (const Holder& h : path_of(t, static_cast<int>(mine.place.vertex)).inside) {
    if (told.levels == Told::kLevels) break;
    Told::Level& level = told.level[told.levels++];
    std::strncpy(level.name.data(), h.name.c_str(), Told::kNameLength - 1);
    level.instance = static_cast<std::int32_t>(h.instance);
  }
  return told;
}

// Of a node that its processes see different parts of nothing but itself is known.
std::vector<Path> paths_of(std::span<const Told> all) {
  std::map<std::uint64_t, std::uint64_t> tree_of;  // by node; 0 where there is no common one
  for (const Told& t : all) {
    const auto at = tree_of.emplace(t.node, t.tree).first;
    if (at->second != t.tree) at->second = 0;
  }
  std::vector<Path> paths;
  for (const Told& t : all) {
    Path& path = paths.emplace_back();
    path.node = t.node;
    if (tree_of.at(t.node) == 0) continue;
    for (const Told::Level& l : std::span(t.level).first(static_cast<size_t>(t.levels))) {
      path.inside.push_back({l.name.data(), l.instance});
    }
  }
  return paths;
}

// Null where a member is not in MPI_COMM_WORLD and its place thus not known.
std::shared_ptr<KnownPlaces> read_from_file(MPI_Comm comm, const World& world) {
  std::vector<Path> paths;
  for (int r : world_ranks_of(comm)) {
    if (r == MPI_UNDEFINED) return nullptr;
    paths.push_back(path_of(*world.topology, world.vertex[r]));
  }
  return std::make_shared<KnownPlaces>(places_along(paths));
}

// Collective. Null on all, where places are not known.
std::shared_ptr<const KnownPlaces> learn(MPI_Comm comm, const PlacedAgreement& agreement) {
  std::shared_ptr<KnownPlaces> made;
  if (agreement.everywhere()) {
    if (is_maker(comm)) made = read_from_file(comm, *agreement.mine().world);
  } else {
    const Told mine = told_of(agreement.mine());
    const std::vector<std::byte> bytes = gather_for_makers(comm, &mine, sizeof mine);
    if (is_maker(comm)) {
      std::vector<Told> all(bytes.size() / sizeof(Told));
      std::memcpy(all.data(), bytes.data(), bytes.size());
      made = std::make_shared<KnownPlaces>(places_along(paths_of(all)));
    }
  }
  return std::static_pointer_cast<const KnownPlaces>(shared_with_all(comm, made));
}

std::shared_ptr<const Layout> lay(const Places& places, const Mesh& mesh, CartMethod method) {
  auto layout = std::make_shared<Layout>();
  Mapping mapping;
  try {
    mapping = map_processes(mesh, places, method);
  } catch (const Unmappable& e) {
    layout->impossible = e.what();
    return layout;
  }
  layout->new_rank = std::move(mapping.new_rank);
  layout->rank.resize(layout->new_rank.size());
  layout->in_order = true;
  for (size_t r = 0; r < layout->new_rank.size(); ++r) {
    layout->rank[layout->new_rank[r]] = static_cast<int>(r);
    layout->in_order = layout->in_order && layout->new_rank[r] == static_cast<int>(r);
  }
  layout->grid =
      std::make_shared<const Grid>(mesh, mapping.method, groups_by_position(layout->new_rank, places.nodes()));
  return layout;
}

}  // namespace

std::shared_ptr<const Layout> KnownPlaces::layout(const Mesh& mesh, CartMethod method) const {
  const std::lock_guard lock(mutex_);
  const bool again =
      last_ != nullptr && last_method_ == method && last_mesh_.dims == mesh.dims && last_mesh_.periods == mesh.periods;
  if (again) return last_;
  last_ = lay(places_of_first(places_, mesh.size()), mesh, method);
  last_mesh_ = mesh;
  last_method_ = method;
  return last_;
}

int agree(MPI_Comm comm, const Asked& asked, std::shared_ptr<const KnownPlaces>& places) {
  const std::shared_ptr<const KnownPlaces>* kept = Kept::find(comm);
  Agreement plain;
  std::optional<PlacedAgreement> placed;
  Agreement& agreement = kept != nullptr ? plain : placed.emplace();
  const int rank = rank_in(comm);
  if (asked.error != MPI_SUCCESS) agreement.fail(asked.error);
  const size_t what = agreement.add(digest(asked.what));
  const size_t no_method = agreement.add(asked.no_method ? std::optional<std::int64_t>(-rank) : std::nullopt);
  agreement.reach(comm);
  if (agreement.error() != MPI_SUCCESS) return agreement.error();
  if (agreement.given(no_method)) {
    // The first of them says so.
    if (agreement.value(no_method) == -rank) report_unknown_method();
    call(MPI_Barrier(comm));  // it is said before the error ends a process
    return MPI_ERR_OTHER;
  }
  if (!agreement.same(what)) return MPI_ERR_ARG;
  if (kept == nullptr) {
    if (!placed->all_placed()) return MPI_ERR_OTHER;
    std::shared_ptr<const KnownPlaces> learned = learn(comm, *placed);
    if (learned == nullptr) {
      if (rank == 0)
        std::fputs("strata: a process is not in the MPI_COMM_WORLD that the placement file binds\n", stderr);
      call(MPI_Barrier(comm));
      return MPI_ERR_OTHER;
    }
    kept = &Kept::keep(comm, std::move(learned));
  }
  places = *kept;
  return MPI_SUCCESS;
}

}  // namespace strata::mpix
