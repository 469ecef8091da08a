// SPDX-License-Identifier: LGPL-2.1-only
// Timelines in Chrome's Trace Event Format, for ui.perfetto.dev ("Trace Event Format", the document of the Catapult
// project, docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU):
//
//   {"schema":"strata.timeline/1","displayTimeUnit":"ns","otherData":{...},"traceEvents":[
//   {"ph":"M","pid":1,"name":"process_name","args":{"name":"node0"}},
//   {"ph":"M","pid":1,"tid":2000012,"name":"thread_name","args":{"name":"rank 12 (package 1, core 3)"}},
//   {"ph":"B","pid":1,"tid":2000012,"ts":1000.000000,"cat":"MPI","name":"MPI_Recv"},
//   {"ph":"B","pid":1,"tid":2000012,"ts":1000.000000,"cat":"waiting","name":"waits for rank 7"},
//   {"ph":"E","pid":1,"tid":2000012,"ts":2000.000000},
//   {"ph":"E","pid":1,"tid":2000012,"ts":2000.000000},
//   {"ph":"C","pid":3,"ts":0.000000,"name":"bytes under way: Package","args":{"bytes":8.5}}
//   ]}
//
// Nodes are processes, and ranks are threads. A rank's outermost slice is the program; it contains phases, calls and
// waits. Times are in microseconds with six decimals; Perfetto keeps three. With messages, flow events ("s" and "f")
// draw arrows between slices. There is a counter for each level of the machine: the bytes in flight, as the mean over a
// thousandth of the window. If links were sampled, the busiest links have counters of their rates.
// schemas/timeline.schema.json describes the document.
#pragma once

#include "records/timeline/event_timeline.h"
#include "records/timeline/link_rates.h"
#include "records/timeline/output_file.h"
#include "records/timeline/rank_places.h"

namespace strata {

void write_chrome_timeline(EventTimeline& timeline, const RankPlaces& places, const LinkRates& rates, OutputFile& out);

}  // namespace strata
