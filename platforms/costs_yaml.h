// SPDX-License-Identifier: LGPL-2.1-only
// The mapping `costs` of a machine.yaml.
//
//   costs:
//     core: {speed: F, copy_bandwidth: F}
//     eager_limit: F
//     torus: {hop_latency: F, injection: F, links: [F, F, F]}
//     levels: [{level: Package, latency: F, overhead: F, bandwidth: F, link_bandwidth: F}]
//
// with a figure {value: 1.5, unit: us, source: measured} for each F. Which figures there are: machine_figures.h.
#pragma once

#include "base/keys.h"
#include "platforms/machine.h"

namespace strata {

/// The allowed values of `costs`.
Value costs_value();

/// Reads the costs of a machine whose network and tree are known. Throws InputError with file, line and remedy.
void read_costs(const YamlReader& at, Machine& machine);

/// Writes the value of `costs`.
void emit_costs(YAML::Emitter& out, const Machine& machine);

}  // namespace strata
