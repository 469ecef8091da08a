// A scenario: what to run on which machine, with which ranks where, and what to make of the measurements. A YAML file:
//
//   schema: strata.scenario/1
//   name: quickstart                       # of the results
//   title: Broadcast on 240 cores
//   machine: ntw10e5                       # catalog name or path; or {xml: FILE, nodes: N}
//   what_if:                               # optional: other figures than the machine's (platforms/what_if.h)
//     - {figure: System - Cluster.latency, times: 0.25, source: "assumed: why"}
//     - {figure: eager_limit, value: 8, unit: KiB, source: "published: where"}
//   program: collective                    # of the catalog's programs, or the path of one built with smpicc
//   arguments: [--root, 0]                 # optional, before those of the sweep
//   ranks: all                             # or a number
//   mapping: {map_by: core, bind_to: core, oversubscribe: false}     # or {bindings: FILE}; also
//                                          # progress: numa, bind, odd-even or a list of PUs, where each rank has a
//                                          # progress thread there (mpi_ext/mpix.h); then a program of yours must keep
//                                          # no mutable globals: ranks and threads share them
//   shim: off                              # on: MPI_Cart_create of the program as it is keeps neighbours
//                                          # on one node (mpi_ext/shim)
//   sweep:                                 # each is given to the program as --NAME VALUE; the first varies slowest
//     algorithm: [linear, binomial]
//     variant: [native, hierarchical]
//     elements: [1, 10, 100]
//     ranks: [60, 62]                      # not given to the program, but instead of `ranks` and of the mapping's
//     progress: [numa, odd-even]           # `progress`
//     shim: [off, on, nodecart]            # nor this, but instead of `shim`
//     library:                             # cases: names of parameters that go together, and are given instead of it
//       ours: {steps: auto, progress: numa}
//       bound: {steps: 0, progress: bind}
//   varies: [size]                         # optional: parameters that the program itself varies within a point, and
//                                          # prints with what it measures; plots may name them
//   reference: {ranks: all, arguments: [--steps, blocking], metric: work, option: work}     # optional: a simulation
//                                          # before all others, with the program's arguments and these, whose metric
//                                          # every point is given as --OPTION VALUE; its progress threads are bound to
//                                          # their ranks' cores
//   metric: {name: time, unit: s}          # what the program prints (scenarios/programs/measurement.h)
//   also: [{name: computing, unit: s}]     # optional: what else it prints at each point; plots and claims may name it
//   derived:                               # ratios of the metric, or of `metric: computing`; without `over`: of every other value to `under`
//     - {name: enhancement, title: "factor", axis: variant, over: native, under: hierarchical}
//   models: {hockney: 0.02, loggp: 0.02}   # the relative tolerance of each
//   plots:
//     - {name: fig5, title: "...", x: elements, y: enhancement, series: [algorithm], log_x: true, log_y: false}
//     - {name: parts, title: "...", x: variant, y: time, stack: [computing, communicating]}
//        # bars: metrics of y's unit
//     - {name: map, title: "...", x: elements, y: iterations, heat: gain}   # colours: red below 0, green above
//   claims:                                # over: max, min, spread (the largest divided by the least),
//                                          # share_gaining, or argmin (where the least is, with `axis: ranks`);
//                                          # a value of `where` may be a list of them
//     - {id: ..., paper: ..., text: ..., quantity: enhancement, over: max, where: {algorithm: linear}, value: 21,
//        factor: 2, note: ...}            # about, within a factor; or relation: at_least, at_most
//   traces: false                          # whether to keep what each core was busy with (records/record.h)
//   traffic: off                           # on: keep who sent how much to whom, and what each link carried; 10 ms:
//                                          # also what links carried in each such period of simulated time; messages:
//                                          # also each message (records/record.h)
//   seed: 1
//   time_limit: 600                        # s of wall time for each simulation
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "platforms/placement.h"
#include "platforms/what_if.h"
#include "records/study.h"

namespace strata {

struct Scenario {
  std::filesystem::path file;
  Study study;          // ranks 0: one for each core, or as the sweep says; its program as the file names it
  std::string program;  // the same, a path relative to the working directory where it is one
  std::string machine;  // name or path; empty where `xml` is given
  std::filesystem::path xml;
  int nodes = 1;
  std::vector<WhatIf> what_ifs;  // changes of its figures
  PlacementOptions mapping;
  std::filesystem::path bindings;  // instead of `mapping` where not empty
  std::uint64_t seed = 1;
  double time_limit_s = 600;
};

/// Reads a scenario and applies settings of the form `key=value`: an axis of the sweep (`elements=1,10,100`), or
/// machine, what_if.FIGURE (`what_if.eager_limit=8KiB`, `what_if.System - Cluster.latency=0.25x`), program, ranks,
/// map_by, bind_to, oversubscribe, bindings, progress, shim, traces, traffic, seed, time_limit, or the option of the
/// reference, whose value is then not measured. Paths in the file are relative to it, those in settings to the working
/// directory. Throws InputError with file, line and remedy, or naming the setting.
Scenario load_scenario(const std::filesystem::path& file, const std::vector<std::string>& settings = {});

/// The scenarios of a catalog folder by name (file name without .yaml; those in subfolders as folder/name), sorted.
std::vector<std::string> scenario_names(const std::filesystem::path& catalog);

/// `spec` is a catalog name or a path. Throws InputError that lists the catalog.
std::filesystem::path find_scenario(const std::string& spec, const std::filesystem::path& catalog);

}  // namespace strata
