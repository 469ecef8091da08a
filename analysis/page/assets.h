// SPDX-License-Identifier: LGPL-2.1-only
// The parts that are the same in all pages: files in this folder and in third_party/echarts, embedded at build time.
#pragma once

#include <string_view>

namespace strata::analysis::assets {

extern const std::string_view kBody;    // body.html: <body> and the sections, without the closing tags
extern const std::string_view kStyle;   // page.css
extern const std::string_view kScript;  // all scripts in this folder
extern const std::string_view kPlots;   // Apache ECharts

}  // namespace strata::analysis::assets
