// SPDX-License-Identifier: LGPL-2.1-only
// Timelines for common viewers. The name of the file determines its format.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "records/timeline/event_timeline.h"
#include "records/timeline/link_rates.h"
#include "records/timeline/rank_places.h"

namespace strata {

enum class TimelineFormat { kPaje, kChrome, kOtf2 };

/// The format that `word` names ("paje", "chrome", "otf2"). Without a word, the file's extension determines it: .paje;
/// .json or .json.gz; .otf2. Throws InputError; `option` is the option that names the file.
TimelineFormat timeline_format(const std::string& word, const std::filesystem::path& file, const std::string& option);

/// Throws OutputError if write_timeline would refuse the file because of what is there: a directory, or for an archive
/// of OTF2 a folder that is none.
void check_timeline_place(TimelineFormat format, const std::filesystem::path& file);

/// Writes the file (for OTF2, a folder) completely or not at all. `rates` is for Chrome's counters. Throws OutputError.
void write_timeline(EventTimeline& timeline, const RankPlaces& places, TimelineFormat format,
                    const std::filesystem::path& file, const LinkRates& rates);

}  // namespace strata
