// SPDX-License-Identifier: LGPL-2.1-only
// The machines of the catalog, and the figures of a machine, each with its source.
//
//   ntw10e5  10 nodes  240 cores  10 nodes x 4 sockets x 6 cores, ...
//
//   {"schema":"strata.machines/1","machines":[{"name":"ntw10e5","description":...,"source":...,"nodes":10,"cores":240,
//    "hash":...,"costs":{...}}, ...]}        `costs` as in draw_json.h, `hash` as machine_hash gives it
//
// A machine whose network is not a tree also has `network` as in draw_json.h.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "platforms/machine.h"

namespace strata {

/// A line for each machine, ordered by name. Throws InputError if a machine of the folder is damaged or the folder has
/// no machines.
std::string list_machines_text(const std::filesystem::path& catalog);

/// The machine in a few words, and a line for each figure.
std::string machine_figures_text(const Machine& machine);

/// The document above for the catalog. Throws as list_machines_text.
nlohmann::ordered_json list_machines_json(const std::filesystem::path& catalog);
nlohmann::ordered_json machines_json(const std::vector<Machine>& machines);

}  // namespace strata
