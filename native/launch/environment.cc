// SPDX-License-Identifier: LGPL-2.1-only
#include "native/launch/environment.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/error.h"

namespace strata::native {
namespace {

// Other launchers set these. PMIX_MCA_ and OMPI_MCA_ are users' settings, except those that mpirun hands down.
constexpr std::array<std::string_view, 13> kOtherLaunchers = {
    "FLUX_", "HYDI_", "MPI_LOCAL", "OMPI_COMM_WORLD_", "OMPI_MCA_ess",  "OMPI_MCA_orte_", "OMPI_UNIVERSE_", "PMI_",
    "PMI2_", "PMIX_", "PRTE_",     "SLURM_",           "OMPI_APP_CTX_",
};
constexpr std::string_view kPmixSetting = "PMIX_MCA_";

// The simulated node comes from HWLOC_XMLFILE.
constexpr std::array<std::string_view, 6> kOtherNodes = {
    "HWLOC_SYNTHETIC", "HWLOC_FSROOT",     "HWLOC_CPUID_PATH",
    "HWLOC_XMLFILE",   "HWLOC_COMPONENTS", "HWLOC_THISSYSTEM_ALLOWED_RESOURCES",
};

// Sources: Open MPI 4.1.4 and 5.0.7, ompi_info --all.
// The last ones leave out components that only mpirun's own processes and other networks use: a rank loads a third
// fewer files.
constexpr std::array<std::pair<const char*, const char*>, 17> kOpenMpiSettings{{
    {"OMPI_MCA_pml", "ucx"},
    {"OMPI_MCA_pml_ucx_tls", "any"},
    {"OMPI_MCA_pml_ucx_devices", "any"},
    {"OMPI_MCA_opal_common_ucx_tls", "any"},
    {"OMPI_MCA_opal_common_ucx_devices", "any"},
    {"OMPI_MCA_opal_common_ucx_progress_iterations", "1"},
    {"OMPI_MCA_pml_ucx_progress_iterations", "1"},
    {"OMPI_MCA_btl", "self"},
    {"OMPI_MCA_osc", "ucx,sm"},
    {"OMPI_MCA_coll_hcoll_enable", "0"},
    {"OMPI_MCA_state", "^hnp,novm,orted,tool"},
    {"OMPI_MCA_errmgr", "^default_hnp,default_orted,default_tool"},
    {"OMPI_MCA_schizo", "^alps,flux,jsm,moab,orte,singularity,slurm"},
    {"OMPI_MCA_pmix", "^cray,flux,isolated,s1,s2"},
    {"OMPI_MCA_shmem", "^posix,sysv"},
    {"OMPI_MCA_reachable", "^netlink"},
    {"OMPI_MCA_memory", "^patcher"},  // see kMemoryEvents
}};

// Open MPI and UCX write over the beginning of munmap and its like, to learn which memory a network card must forget.
// A rank has no card, and a thread that is in munmap at that time, such as PMIx's, ends in a segmentation fault.
constexpr std::pair<const char*, const char*> kMemoryEvents = {"UCX_MEM_EVENTS", "no"};

// A rank's node is a file, so what hwloc would find out about this computer's devices is not needed. These load X11 and
// OpenCL. Source: hwloc 2.9, "Environment variables".
constexpr const char* kNeedlessPlugins =
    "hwloc_gl.so,hwloc_opencl.so,hwloc_pci.so,hwloc_cuda.so,hwloc_nvml.so,hwloc_rsmi.so,hwloc_levelzero.so";

bool starts_with_one(std::string_view name, const auto& starts) {
  return std::any_of(starts.begin(), starts.end(), [name](std::string_view start) { return name.starts_with(start); });
}

bool from_elsewhere(std::string_view name) {
  if (name.starts_with(kPmixSetting)) return false;
  return starts_with_one(name, kOtherLaunchers) ||
         std::find(kOtherNodes.begin(), kOtherNodes.end(), name) != kOtherNodes.end();
}

}  // namespace

Environment inherited(const char* const* variables) {
  Environment environment;
  for (; *variables != nullptr; ++variables) {
    const std::string_view variable = *variables;
    const std::size_t sign = variable.find('=');
    if (sign == std::string_view::npos || from_elsewhere(variable.substr(0, sign))) continue;
    environment.emplace(variable.substr(0, sign), variable.substr(sign + 1));
  }
  return environment;
}

void check_settings(const Environment& environment, Library::Kind library) {
  const auto pml = environment.find("OMPI_MCA_pml");
  if (pml == environment.end() || pml->second.empty() || library == Library::Kind::kMpich) return;
  const bool names_ucx = pml->second.find("ucx") != std::string::npos, excludes = pml->second.starts_with('^');
  if (names_ucx != excludes) return;
  throw InputError("OMPI_MCA_pml=" + pml->second, "messages would not go through the simulated network",
                   "unset it, or set it to ucx");
}

void add_settings(Environment& environment, Library::Kind library) {
  environment.emplace("HWLOC_PLUGINS_BLACKLIST", kNeedlessPlugins);
  environment.emplace(kMemoryEvents.first, kMemoryEvents.second);
  if (library != Library::Kind::kOpenMpi && library != Library::Kind::kUnknown) return;
  for (const auto& [name, value] : kOpenMpiSettings) environment.emplace(name, value);
  // Open MPI 4.1 starts alone, as a singleton, unless it knows a daemon. It never connects to this one.
  environment["OMPI_MCA_orte_local_daemon_uri"] = "0.0;tcp://127.0.0.1:9";
}

void add_rank(Environment& environment, const Places& places, int rank) {
  const RankPlace& place = places.ranks[rank];
  const auto local_size = std::count_if(places.ranks.begin(), places.ranks.end(),
                                        [&place](const RankPlace& other) { return other.node == place.node; });
  const auto set = [&environment](std::initializer_list<const char*> names, auto value) {
    for (const char* name : names) environment[name] = std::to_string(value);
  };
  // Of Slurm's variables Open MPI and MPICH read others, SLURM_JOBID and SLURM_NODELIST, to find out whether srun has
  // started them.
  set({"OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID"}, rank);
  set({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_NTASKS"}, places.size());
  set({"OMPI_UNIVERSE_SIZE"}, places.universe_size());
  set({"OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_NODE_RANK", "MPI_LOCALRANKID", "SLURM_LOCALID"},
      place.local_rank);
  set({"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS"}, local_size);
  set({"SLURM_NODEID"}, place.node);
  if (places.nodes[place.node].xml.empty()) return;
  environment["HWLOC_XMLFILE"] = places.nodes[place.node].xml.string();
  environment["HWLOC_THISSYSTEM"] = "0";  // the node is not this computer: bindings on it change nothing here
}

}  // namespace strata::native
