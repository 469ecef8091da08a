// SPDX-License-Identifier: LGPL-2.1-only
// The machines of the catalog, every figure with its source.
//
//   {"schema":"strata.machines/1","machines":[{"name":"ntw10e5","description":...,"source":...,"nodes":10,"cores":240,
//    "hash":...,"costs":{...}}, ...]}        `costs` as in draw_json.h, `hash` as machine_hash gives it
//
// A machine whose network is not a tree also has `network` as in draw_json.h.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

namespace strata {

/// One table per machine, ordered by name. Throws InputError if a machine of the folder is damaged or the folder has no
/// machines.
std::string list_machines_text(const std::filesystem::path& catalog);

/// The document above. Throws as list_machines_text.
nlohmann::ordered_json list_machines_json(const std::filesystem::path& catalog);

}  // namespace strata
