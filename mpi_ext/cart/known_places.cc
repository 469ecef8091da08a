// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/cart/known_places.h"

#include <cstdint>
#include <cstdio>
#include <optional>
#include <utility>

#include "mpi_ext/adapter/share.h"
#include "mpi_ext/cart/method_setting.h"
#include "mpi_ext/cart/tree_paths.h"
#include "mpi_ext/cart/wire_places.h"
#include "mpi_ext/context/attribute.h"
#include "mpi_ext/hierarchy/member_data.h"
#include "mpi_ext/ranks.h"

namespace strata::mpix {
namespace {

using Kept = CommAttribute<std::shared_ptr<const KnownPlaces>>;

// Null if a member is not in MPI_COMM_WORLD, so that its place is unknown.
std::shared_ptr<KnownPlaces> read_from_file(MPI_Comm comm, const World& world) {
  std::vector<Path> paths;
  for (int v : vertices_in(world, comm)) paths.push_back(path_of(*world.topology, v));
  return paths.empty() ? nullptr : std::make_shared<KnownPlaces>(places_along(paths));
}

// Collective. Returns null on all ranks if places are unknown.
std::shared_ptr<const KnownPlaces> learn(MPI_Comm comm, const PlacedAgreement& agreement) {
  std::shared_ptr<KnownPlaces> made;
  if (agreement.everywhere()) {
    if (is_maker(comm)) made = read_from_file(comm, *agreement.mine().world);
  } else {
    const WirePlace mine = wire_place_of(agreement.mine());
    const std::vector<std::byte> bytes = gather_for_makers(comm, &mine, sizeof mine);
    if (is_maker(comm)) made = std::make_shared<KnownPlaces>(places_along(paths_told(bytes)));
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

int agree(MPI_Comm comm, const CallArguments& arguments, std::shared_ptr<const KnownPlaces>& places) {
  const std::shared_ptr<const KnownPlaces>* kept = Kept::find(comm);
  Agreement plain;
  std::optional<PlacedAgreement> placed;
  Agreement& agreement = kept != nullptr ? plain : placed.emplace();
  const int rank = rank_in(comm);
  if (arguments.error != MPI_SUCCESS) agreement.fail(arguments.error);
  const size_t what = agreement.add(digest(arguments.what));
  const size_t no_method = agreement.add(arguments.no_method ? std::optional<std::int64_t>(-rank) : std::nullopt);
  agreement.reach(comm);
  if (agreement.error() != MPI_SUCCESS) return agreement.error();
  if (agreement.given(no_method)) {
    // The first of these ranks reports it.
    if (agreement.value(no_method) == -rank) report_unknown_method();
    call(MPI_Barrier(comm));  // so that the report appears before the error ends a process
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
