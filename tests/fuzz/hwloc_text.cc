// SPDX-License-Identifier: LGPL-2.1-only
// The parts of an hwloc XML file that we read ourselves, before libhwloc does.
#include "platforms/hwloc_xml.h"
#include "tests/fuzz/fuzz.h"

void strata::fuzz::read_input(const std::string& bytes) {
  const InputFile file(bytes);
  is_xml_file(file.path());
  memory_only_nodes(read_hwloc_xml(file.path()));
}
