// SPDX-License-Identifier: LGPL-2.1-only
// The parts of a page that are the same in all: files of this folder and of third_party/echarts, embedded when
// building.
#pragma once

#include <string_view>

namespace strata::analysis::assets {

extern const std::string_view kBody;    // body.html: <body> and the sections, without their end
extern const std::string_view kStyle;   // page.css
extern const std::string_view kScript;  // the scripts of this folder, in one
extern const std::string_view kPlots;   // Apache ECharts

}  // namespace strata::analysis::assets
