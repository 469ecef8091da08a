// SPDX-License-Identifier: LGPL-2.1-only
// Information that is read from the text of an hwloc XML file, because libhwloc 2 does not provide it or cannot load
// the file.
#pragma once

#include <string>
#include <string_view>

#include "platforms/cpuset.h"

namespace strata {

/// Whether a file begins like XML. False if it cannot be read.
bool is_xml_file(const std::string& path);

/// A file's bytes in the form that libhwloc 2 loads: hwloc 2 XML unchanged, hwloc 3 XML translated. Throws InputError
/// if the file cannot be read, is not hwloc XML, or has another version.
std::string read_hwloc_xml(const std::string& path);

/// The OS indexes of the NUMA nodes that have memory and no PU. When libhwloc loads such a node, it sets its cpuset to
/// that of the object to which it is attached.
Cpuset memory_only_nodes(std::string_view xml);

/// The result of read_hwloc_xml for a file's bytes; `where` names the file in errors.
std::string as_hwloc2_xml(std::string bytes, const std::string& where);

}  // namespace strata
