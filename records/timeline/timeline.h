// SPDX-License-Identifier: LGPL-2.1-only
// Timelines for the field's tools: the format follows from the file's name.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "records/timeline/event_timeline.h"
#include "records/timeline/link_rates.h"
#include "records/timeline/places.h"

namespace strata {

enum class TimelineFormat { kPaje, kChrome, kOtf2 };

/// The format that the word names ("paje", "chrome", "otf2"); without a word the name's end: .paje; .json or .json.gz;
/// .otf2. Throws InputError; `option` is where the file is given.
TimelineFormat timeline_format(const std::string& word, const std::filesystem::path& file, const std::string& option);

/// Writes the file, of OTF2 a folder, whole or not at all; `rates` for Chrome's counters. Throws OutputError.
void write_timeline(EventTimeline& timeline, const RankPlaces& places, TimelineFormat format,
                    const std::filesystem::path& file, const LinkRates& rates);

}  // namespace strata
