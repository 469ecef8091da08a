// SPDX-License-Identifier: LGPL-2.1-only
#include "records/timeline/timeline.h"

#include <string_view>

#include "base/error.h"
#include "base/output_check.h"
#include "base/words.h"
#include "records/timeline/chrome_writer.h"
#include "records/timeline/otf2_writer.h"
#include "records/timeline/output_file.h"
#include "records/timeline/paje_writer.h"

namespace strata {
namespace {

constexpr Word<TimelineFormat> kFormats[] = {
    {TimelineFormat::kPaje, "paje"}, {TimelineFormat::kChrome, "chrome"}, {TimelineFormat::kOtf2, "otf2"}};
constexpr Word<TimelineFormat> kEndings[] = {{TimelineFormat::kPaje, ".paje"},
                                             {TimelineFormat::kChrome, ".json"},
                                             {TimelineFormat::kChrome, ".json.gz"},
                                             {TimelineFormat::kOtf2, ".otf2"}};
constexpr const char* kCompressed = ".gz";

}  // namespace

TimelineFormat timeline_format(const std::string& word, const std::filesystem::path& file, const std::string& option) {
  if (!word.empty()) {
    if (const std::optional<TimelineFormat> known = find_word(kFormats, word)) return *known;
    throw InputError("--format", "'" + word + "' is not a format", "give paje, chrome or otf2");
  }
  for (const Word<TimelineFormat>& ending : kEndings) {
    if (file.string().ends_with(ending.name)) return ending.value;
  }
  throw InputError(option, "'" + file.string() + "' does not say the format by its name",
                   "let it end in .paje, .json, .json.gz or .otf2");
}

void check_timeline_place(TimelineFormat format, const std::filesystem::path& file) {
  if (format == TimelineFormat::kOtf2) {
    refuse_other_folders(file);
  } else {
    check_output_file(file);
  }
}

void write_timeline(EventTimeline& timeline, const RankPlaces& places, TimelineFormat format,
                    const std::filesystem::path& file, const LinkRates& rates) {
  if (format == TimelineFormat::kOtf2) return write_otf2_timeline(timeline, places, file);
  OutputFile out(file, file.string().ends_with(kCompressed));
  if (format == TimelineFormat::kPaje) {
    write_paje_timeline(timeline, places, out);
  } else {
    write_chrome_timeline(timeline, places, rates, out);
  }
  out.keep();
}

}  // namespace strata
