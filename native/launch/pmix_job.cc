// SPDX-License-Identifier: LGPL-2.1-only
#include "native/launch/pmix_job.h"

#include <cstdlib>
#include <map>
#include <stdexcept>
#include <vector>

#include "native/launch/locality.h"

namespace strata::native {
namespace {

std::string joined(const std::vector<int>& numbers) {
  std::string text;
  for (const int number : numbers) text += (text.empty() ? "" : ",") + std::to_string(number);
  return text;
}

// A list in the compressed form that PMIx's keys want, made by one of libpmix's functions.
std::string compressed(pmix_status_t (*function)(const char*, char**), const std::string& list, const char* what) {
  char* text = nullptr;
  check_pmix(function(list.c_str(), &text), what);
  std::string result = text;
  std::free(text);
  return result;
}

// "node0,node1" and "0,2;1": the nodes that have ranks, and their ranks.
void add_maps(PmixInfos& infos, const Places& places, const std::vector<std::vector<int>>& ranks) {
  std::string nodes, peers;
  for (std::size_t node = 0; node < ranks.size(); ++node) {
    if (ranks[node].empty()) continue;
    nodes += (nodes.empty() ? "" : ",") + places.nodes[node].host;
    peers += (peers.empty() ? "" : ";") + joined(ranks[node]);
  }
  infos.add(PMIX_NODE_LIST, nodes);
  infos.add(PMIX_NODE_MAP, compressed(PMIx_generate_regex, nodes, "PMIx_generate_regex"));
  infos.add(PMIX_PROC_MAP, compressed(PMIx_generate_ppn, peers, "PMIx_generate_ppn"));
}

void add_node(PmixInfos& infos, const NodePlace& node, std::size_t number, const std::vector<int>& ranks) {
  PmixInfos about;
  about.add(PMIX_HOSTNAME, node.host);
  about.add_uint32(PMIX_NODEID, static_cast<uint32_t>(number));
  about.add_uint32(PMIX_LOCAL_SIZE, static_cast<uint32_t>(ranks.size()));
  about.add_uint32(PMIX_NODE_SIZE, static_cast<uint32_t>(ranks.size()));
  about.add(PMIX_LOCAL_PEERS, joined(ranks));
  about.add_rank(PMIX_LOCALLDR, ranks.front());
  infos.add_array(PMIX_NODE_INFO_ARRAY, about);
}

// The locality strings of all bindings; each node's file is loaded once.
class Localities {
 public:
  std::string of(const NodePlace& node, const std::string& cpuset) {
    if (node.xml.empty()) return "";
    const auto [known, added] = texts_.try_emplace({node.xml, cpuset});
    if (added) known->second = topologies_.try_emplace(node.xml, node.xml).first->second.locality(cpuset);
    return known->second;
  }

 private:
  std::map<std::filesystem::path, NodeTopology> topologies_;
  std::map<std::pair<std::filesystem::path, std::string>, std::string> texts_;
};

void add_ranks(PmixInfos& infos, const Places& places) {
  Localities localities;
  int first_of_app = 0;
  for (int rank = 0; rank < places.size(); ++rank) {
    const RankPlace& place = places.ranks[rank];
    if (rank > 0 && place.app != places.ranks[rank - 1].app) first_of_app = rank;
    PmixInfos about;
    about.add_rank(PMIX_RANK, rank);  // first: what follows is about this rank
    about.add_rank(PMIX_GLOBAL_RANK, rank);
    about.add_rank(PMIX_APP_RANK, rank - first_of_app);
    about.add_uint32(PMIX_APPNUM, static_cast<uint32_t>(place.app));
    about.add_uint16(PMIX_LOCAL_RANK, static_cast<uint16_t>(place.local_rank));
    about.add_uint16(PMIX_NODE_RANK, static_cast<uint16_t>(place.local_rank));
    about.add_uint32(PMIX_NODEID, static_cast<uint32_t>(place.node));
    about.add(PMIX_HOSTNAME, places.node_of(rank).host);
    // Without a binding Open MPI takes the ranks of a node to share only the node, as after mpirun --bind-to none.
    if (const std::string text = localities.of(places.node_of(rank), place.cpuset); !text.empty()) {
      about.add(PMIX_LOCALITY_STRING, text);
      about.add(PMIX_CPUSET, "hwloc:" + place.cpuset);
    }
    infos.add_array(PMIX_PROC_DATA, about);
  }
}

}  // namespace

void check_pmix(pmix_status_t status, const std::string& what) {
  if (status == PMIX_SUCCESS || status == PMIX_OPERATION_SUCCEEDED) return;
  throw std::runtime_error(what + ": " + PMIx_Error_string(status));
}

void PmixInfos::add(const char* key, const void* value, pmix_data_type_t type) {
  check_pmix(PMIx_Info_list_add(list_, key, value, type), key);
}

void PmixInfos::add_rank(const char* key, int rank) {
  const auto value = static_cast<pmix_rank_t>(rank);
  add(key, &value, PMIX_PROC_RANK);
}

void PmixInfos::add_parent(const pmix_proc_t& parent) {
  add(PMIX_SPAWNED, true);
  add(PMIX_PARENT_ID, &parent, PMIX_PROC);
}

void PmixInfos::add_array(const char* key, const PmixInfos& infos) {
  pmix_data_array_t array = infos.array();
  add(key, &array, PMIX_DATA_ARRAY);
  PMIX_DATA_ARRAY_DESTRUCT(&array);
}

pmix_data_array_t PmixInfos::array() const {
  pmix_data_array_t array{};
  check_pmix(PMIx_Info_list_convert(list_, &array), "PMIx_Info_list_convert");
  return array;
}

void describe_job(PmixInfos& infos, const Places& places, const std::string& job,
                  const std::filesystem::path& scratch) {
  const std::vector<std::vector<int>> ranks = ranks_by_node(places);
  uint32_t nodes = 0;
  for (const std::vector<int>& on_node : ranks) nodes += on_node.empty() ? 0 : 1;
  const auto size = static_cast<uint32_t>(places.size());
  infos.add(PMIX_JOBID, job);
  infos.add_uint32(PMIX_UNIV_SIZE, static_cast<uint32_t>(places.universe_size()));
  infos.add_uint32(PMIX_JOB_SIZE, size);
  infos.add_uint32(PMIX_MAX_PROCS, size);
  infos.add_uint32(PMIX_JOB_NUM_APPS, static_cast<uint32_t>(places.ranks.back().app) + 1);
  infos.add_uint32(PMIX_NUM_NODES, nodes);
  add_maps(infos, places, ranks);
  // Open MPI's session folders, which otherwise are in TMPDIR.
  infos.add(PMIX_TMPDIR, scratch.string());
  infos.add(PMIX_NSDIR, scratch.string());
  infos.add(PMIX_TDIR_RMCLEAN, true);
  for (std::size_t node = 0; node < ranks.size(); ++node)
    if (!ranks[node].empty()) add_node(infos, places.nodes[node], node, ranks[node]);
  add_ranks(infos, places);
}

}  // namespace strata::native
