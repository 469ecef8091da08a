// SPDX-License-Identifier: LGPL-2.1-only
// The splits of the C interface. Messages of a call on p processes, if all read the same placement file: one
// MPI_Allreduce of 7 to 19 integers over the communicator, and one MPI_Comm_create_group for each communicator that the
// process gets (comms.h). One more MPI_Allgather if not all processes know the places, if keys reorder the members, or
// if a process passes MPI_UNDEFINED; and another with the key "mpix_hlevel" over several nodes (plan.h).
// MPIX_Comm_hsplit_all needs no more messages for its agreement than a single split.
#include "mpi_ext/hierarchy/hsplit.h"

#include <strings.h>

#include <algorithm>
#include <climits>
#include <cstdio>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "mpi_ext/hierarchy/comms.h"
#include "mpi_ext/hierarchy/hlevel_info.h"
#include "mpi_ext/hierarchy/info.h"
#include "mpi_ext/mpix.h"
#include "mpi_ext/ranks.h"
#include "mpi_ext/report_error.h"

namespace strata::mpix {
namespace {

constexpr const char* kLevelKey = "mpix_hlevel";
constexpr const char* kResourceKey = "mpi_hw_resource_type";
constexpr const char* kProcessSetKey = "mpi_pset_name";

// Reads the key's value. A handle that MPI rejects is an error on all ranks.
std::optional<std::string> read(MPI_Info info, const char* key, Agreement& agreement) {
  try {
    return info_value(info, key);
  } catch (const ReportedByMpi&) {
    agreement.fail(MPI_ERR_INFO);
    return std::nullopt;
  }
}

std::string shown(const std::optional<std::string>& value) { return value ? "=" + *value : ""; }

Request guided_request(MPI_Info info, bool by_uri, Agreement& agreement) {
  const std::optional<std::string> type = read(info, kResourceKey, agreement);
  const std::optional<std::string> set = by_uri ? read(info, kProcessSetKey, agreement) : std::nullopt;
  if (type && set) agreement.fail(MPI_ERR_INFO);
  Request r;
  r.kind = Request::Kind::kNobody;
  r.text = kResourceKey + shown(type) + " " + kProcessSetKey + shown(set);
  if (set) {
    if (::strcasecmp(set->c_str(), "mpi://WORLD") == 0) r.kind = Request::Kind::kTogether;
    if (::strcasecmp(set->c_str(), "mpi://SELF") == 0) r.kind = Request::Kind::kAlone;
  } else if (type) {
    const bool uri = by_uri && type->find("://") != std::string::npos;
    r.resource = *type == "mpi_shared_memory" ? ResourceType::node()
                 : uri                        ? ResourceType::at_uri(*type)
                                              : ResourceType::named(*type);
    if (r.resource) r.kind = Request::Kind::kResource;
  }
  return r;
}

bool is_ours(std::int64_t split_type) {
  return split_type == MPI_COMM_TYPE_SHARED ||
         (split_type >= MPIX_COMM_TYPE_PHYSICAL_TOPOLOGY && split_type <= MPIX_COMM_TYPE_RESOURCE_GUIDED);
}

// The request for a value of split_type, which is not MPI_UNDEFINED.
Request request_of(int split_type, MPI_Info info, Agreement& agreement) {
  if (split_type == MPIX_COMM_TYPE_HW_GUIDED) return guided_request(info, false, agreement);
  if (split_type == MPIX_COMM_TYPE_RESOURCE_GUIDED) return guided_request(info, true, agreement);
  if (is_ours(split_type) && split_type != MPI_COMM_TYPE_SHARED) return topology_request(info, 1, agreement);
  Request r;
  r.kind = Request::Kind::kResource;
  r.resource = ResourceType::node();
  r.text = "shared";
  return r;
}

int plan_of(MPI_Comm comm, const PlacedAgreement& agreement, const Request& request, bool with_wishes, const Wish& wish,
            std::shared_ptr<const Plan>& plan) {
  plan = make_plan(comm, request, agreement.mine(), agreement.everywhere(), with_wishes, wish);
  if (plan != nullptr) return MPI_SUCCESS;
  std::fputs("strata: a process is not in the MPI_COMM_WORLD that the placement file binds\n", stderr);
  return MPI_ERR_OTHER;
}

int split_by_type(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm* newcomm) {
  const int rank = rank_in(comm);
  const bool takes_part = split_type != MPI_UNDEFINED;
  const auto if_part = [&](std::int64_t value) { return takes_part ? std::optional(value) : std::nullopt; };
  PlacedAgreement agreement;
  if (newcomm == nullptr) agreement.fail(MPI_ERR_ARG);
  Request request;
  if (takes_part) request = request_of(split_type, info, agreement);
  const size_t type = agreement.add(if_part(split_type));
  const size_t text = agreement.add(if_part(digest(request.text)));
  const size_t no_key = agreement.add(if_part(request.kind == Request::Kind::kNobody ? 1 : 0));
  const size_t hinted = agreement.add(if_part(request.hint ? 1 : 0));
  const size_t keys = agreement.add(if_part(key));
  const size_t shifts = agreement.add(if_part(static_cast<std::int64_t>(key) - rank));
  const size_t absent = agreement.add(takes_part ? std::nullopt : std::optional<std::int64_t>(1));
  agreement.reach(comm);
  if (agreement.error() != MPI_SUCCESS) return agreement.error();
  if (!agreement.same(type)) return MPI_ERR_ARG;
  if (!agreement.given(type)) return MPI_SUCCESS;
  if (!is_ours(agreement.value(type))) {
    call(MPI_Comm_split_type(comm, split_type, key, info, newcomm));
    return MPI_SUCCESS;
  }
  if (!agreement.same(text)) return MPI_ERR_INFO;
  if (agreement.value(no_key) != 0) return MPI_SUCCESS;
  if (!agreement.all_placed()) return MPI_ERR_OTHER;
  // A process that does not take part does not know the request, only the messages in which it must take part.
  if (!takes_part && agreement.value(hinted) != 0) request.hint = LevelHint{"", INT_MAX};
  const bool with_wishes = agreement.given(absent) || !(agreement.same(keys) || agreement.same(shifts));
  std::shared_ptr<const Plan> plan;
  if (const int error = plan_of(comm, agreement, request, with_wishes, {takes_part ? 1 : 0, key}, plan)) return error;
  const std::vector<LevelComms> made = make_comms(comm, *plan, 1, false);
  if (made.empty()) return MPI_SUCCESS;
  *newcomm = made.front().newcomm;
  if (split_type == MPIX_COMM_TYPE_HW_UNGUIDED && info != MPI_INFO_NULL) {
    set_info_value(info, kResourceKey, plan->name(plan->hierarchy().comms[plan->hierarchy().levels[rank].front()]));
  }
  return MPI_SUCCESS;
}

int hsplit_with_roots(MPI_Comm comm, MPI_Info info, MPI_Comm* newcomm, MPI_Comm* rootscomm) {
  PlacedAgreement agreement;
  if (newcomm == nullptr || rootscomm == nullptr) agreement.fail(MPI_ERR_ARG);
  const Request request = topology_request(info, 1, agreement);
  const size_t text = agreement.add(digest(request.text));
  agreement.reach(comm);
  std::shared_ptr<const Plan> plan;
  if (const int error = plan_split(comm, agreement, text, request, plan)) return error;
  const std::vector<LevelComms> made = make_comms(comm, *plan, 1, true);
  if (made.empty()) return MPI_SUCCESS;
  *newcomm = made.front().newcomm;
  *rootscomm = made.front().rootscomm;
  return MPI_SUCCESS;
}

int hsplit_all(MPI_Comm comm, MPI_Info info, int max_depth, MPI_Comm newcomms[], MPI_Comm rootscomms[], int* depth) {
  PlacedAgreement agreement;
  if (max_depth < 0 || depth == nullptr || (max_depth > 0 && newcomms == nullptr)) agreement.fail(MPI_ERR_ARG);
  const Request request = topology_request(info, INT_MAX, agreement);
  const size_t text = agreement.add(digest(request.text));
  const size_t levels = agreement.add(max_depth);
  const size_t roots = agreement.add(max_depth > 0 && rootscomms != nullptr ? 1 : 0);
  agreement.reach(comm);
  if (agreement.error() == MPI_SUCCESS && !(agreement.same(levels) && agreement.same(roots))) return MPI_ERR_ARG;
  std::shared_ptr<const Plan> plan;
  if (const int error = plan_split(comm, agreement, text, request, plan)) return error;
  const std::vector<LevelComms> made = make_comms(comm, *plan, max_depth, rootscomms != nullptr);
  for (size_t i = 0; i < made.size(); ++i) {
    newcomms[i] = made[i].newcomm;
    if (rootscomms != nullptr) rootscomms[i] = made[i].rootscomm;
  }
  *depth = static_cast<int>(plan->hierarchy().levels[rank_in(comm)].size());
  return MPI_SUCCESS;
}

// A string that is never freed, so it is valid even while static objects are destroyed. There are only as many as types
// of objects.
char* forever(const std::string& text) {
  static std::mutex mutex;
  static std::set<std::string>& texts = *new std::set<std::string>;
  const std::lock_guard lock(mutex);
  return const_cast<char*>(texts.insert(text).first->c_str());
}

int hw_resource_info(MPI_Info* hw_info) {
  const PlacedAgreement mine;
  if (!mine.placed()) return MPI_ERR_OTHER;
  const Topology& t = *mine.mine().topology;
  const int v = static_cast<int>(mine.mine().place.vertex);
  MPI_Info info = MPI_INFO_NULL;
  call(MPI_Info_create(&info));
  try {
    for (const std::string& uri : resource_uris(t, v)) {
      const bool restricted = ResourceType::at_uri(uri)->instance(t, v) >= 0;
      set_info_value(info, uri.c_str(), restricted ? "true" : "false");
    }
  } catch (...) {
    MPI_Info_free(&info);
    throw;
  }
  *hw_info = info;
  return MPI_SUCCESS;
}

int min_hlevel(MPI_Comm comm, int nranks, const int* ranks, char** type) {
  PlacedAgreement agreement;
  agreement.reach(comm);
  std::vector<Entry> entries;
  if (agreement.all_placed() && !agreement.everywhere()) entries = exchange(comm, {agreement.mine().place, -1, 0, {}});
  // All processes have taken part by now, even one that is about to report an error, so none is left waiting.
  if (type == nullptr || nranks < 0 || (nranks > 0 && ranks == nullptr)) return MPI_ERR_ARG;
  const int size = size_of(comm), rank = rank_in(comm);
  const std::vector<int> listed(ranks, ranks + nranks);
  if (std::any_of(listed.begin(), listed.end(), [&](int r) { return r < 0 || r >= size; })) return MPI_ERR_RANK;
  if (!agreement.all_placed()) return MPI_ERR_OTHER;
  if (std::find(listed.begin(), listed.end(), rank) == listed.end()) {
    *type = forever("Unknown");
    return MPI_SUCCESS;
  }
  const Where& mine = agreement.mine();
  if (agreement.everywhere()) {
    std::vector<int> vertices;
    for (int r : world_ranks_of(comm, listed)) {
      if (r == MPI_UNDEFINED) return MPI_ERR_OTHER;
      vertices.push_back(mine.world->vertex[r]);
    }
    *type = forever(mine.topology->name(lowest_common_ancestor(mine.topology->parents(), vertices)));
    return MPI_SUCCESS;
  }
  std::vector<Place> places;
  for (int r : listed) places.push_back(entries[r].place);
  const CommonTree tree = join(mine, places);
  *type = forever(tree.name(lowest_common_ancestor(tree.parents(), tree.vertices)));
  return MPI_SUCCESS;
}

}  // namespace

Request topology_request(MPI_Info info, int max_levels, Agreement& agreement) {
  Request r;
  const std::optional<std::string> level = read(info, kLevelKey, agreement);
  if (level) {
    r.hint = parse_level_hint(*level);
    if (!r.hint) agreement.fail(MPI_ERR_INFO);
  }
  r.max_levels = max_levels;
  r.text = kLevelKey + shown(level) + " " + std::to_string(max_levels);
  return r;
}

int plan_split(MPI_Comm comm, const PlacedAgreement& agreement, size_t text, const Request& request,
               std::shared_ptr<const Plan>& plan) {
  if (agreement.error() != MPI_SUCCESS) return agreement.error();
  if (!agreement.same(text)) return MPI_ERR_INFO;
  if (!agreement.all_placed()) return MPI_ERR_OTHER;
  return plan_of(comm, agreement, request, false, {}, plan);
}

}  // namespace strata::mpix

extern "C" {

int MPIX_Comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm* newcomm) {
  return strata::mpix::guarded(comm, [&] {
    if (const int error = strata::mpix::check_intracomm(comm)) return error;
    if (newcomm != nullptr) *newcomm = MPI_COMM_NULL;
    return strata::mpix::split_by_type(comm, split_type, key, info, newcomm);
  });
}

int MPIX_Comm_hsplit_with_roots(MPI_Comm comm, MPI_Info info, MPI_Comm* newcomm, MPI_Comm* rootscomm) {
  return strata::mpix::guarded(comm, [&] {
    if (const int error = strata::mpix::check_intracomm(comm)) return error;
    for (MPI_Comm* c : {newcomm, rootscomm}) {
      if (c != nullptr) *c = MPI_COMM_NULL;
    }
    return strata::mpix::hsplit_with_roots(comm, info, newcomm, rootscomm);
  });
}

int MPIX_Comm_hsplit_all(MPI_Comm comm, MPI_Info info, int max_depth, MPI_Comm newcomms[], MPI_Comm rootscomms[],
                         int* depth) {
  return strata::mpix::guarded(comm, [&] {
    if (const int error = strata::mpix::check_intracomm(comm)) return error;
    if (depth != nullptr) *depth = 0;
    for (MPI_Comm* comms : {newcomms, rootscomms}) {
      if (comms != nullptr && max_depth > 0) std::fill(comms, comms + max_depth, MPI_COMM_NULL);
    }
    return strata::mpix::hsplit_all(comm, info, max_depth, newcomms, rootscomms, depth);
  });
}

int MPIX_Comm_get_hlevel_info(MPI_Comm comm, int* num_comms, int* index, char** type) {
  return strata::mpix::guarded(comm, [&] {
    if (comm == MPI_COMM_NULL) return static_cast<int>(MPI_ERR_COMM);
    const auto info = strata::mpix::hlevel_info(comm);
    if (!info) return static_cast<int>(MPI_ERR_ARG);
    if (num_comms != nullptr) *num_comms = info->num_comms;
    if (index != nullptr) *index = info->index;
    if (type != nullptr) *type = strata::mpix::forever(info->type);
    return static_cast<int>(MPI_SUCCESS);
  });
}

int MPIX_Comm_get_min_hlevel(MPI_Comm comm, int nranks, const int* ranks, char** type) {
  return strata::mpix::guarded(comm, [&] {
    if (const int error = strata::mpix::check_intracomm(comm)) return error;
    return strata::mpix::min_hlevel(comm, nranks, ranks, type);
  });
}

int MPIX_Get_hw_resource_info(MPI_Info* hw_info) {
  return strata::mpix::guarded(MPI_COMM_SELF, [&] {
    if (hw_info == nullptr) return static_cast<int>(MPI_ERR_ARG);
    *hw_info = MPI_INFO_NULL;
    return strata::mpix::hw_resource_info(hw_info);
  });
}

}  // extern "C"
