// SPDX-License-Identifier: LGPL-2.1-only
// The headers that at least one file in twenty includes. <iostream> is not among them: a file that includes it runs
// code before main().
#ifdef __cplusplus  // the option -include is for C files too
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <utility>
#include <vector>
#endif
