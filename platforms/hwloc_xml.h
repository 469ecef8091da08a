// SPDX-License-Identifier: LGPL-2.1-only
// What an hwloc XML file says of itself, read from its text: libhwloc 2 does not tell, or does not load it as it is.
#pragma once

#include <string>
#include <string_view>

#include "platforms/cpuset.h"

namespace strata {

/// Whether a file begins as XML does. False where it cannot be read.
bool is_xml_file(const std::string& path);

/// A file's bytes as libhwloc 2 loads them: hwloc 2 XML as it is, hwloc 3 XML translated. Throws InputError where the
/// file cannot be read, is not hwloc XML, or is of another version.
std::string read_hwloc_xml(const std::string& path);

/// The OS indexes of the NUMA nodes that have memory and no PU. libhwloc gives such a node, when it loads it, the
/// cpuset of the object that it is attached to.
Cpuset memory_only_nodes(std::string_view xml);

/// What read_hwloc_xml makes of a file's bytes; `where` names the file in errors.
std::string as_hwloc2_xml(std::string bytes, const std::string& where);

}  // namespace strata
