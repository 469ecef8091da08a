// SPDX-License-Identifier: LGPL-2.1-only
// The machine that a trace carries, so that it can be replayed anywhere, exactly: the files of the machine's folder, as
// save_machine writes them, and the machine's hash. For example
//
//   trace.recorded_machine = pack({machine_hash(machine), {{"machine.yaml", "schema: ..."}}});
//   const RecordedMachine back = unpack(trace.recorded_machine, "app.mpitrace");     back.files["machine.yaml"]
//
// Packed, it is the hash (32 hexadecimal digits), the length of the rest before compression, and the rest, compressed
// by zlib: for each file the length of its name, the name, the length of its contents, the contents. Lengths are in
// base 128 (base/base128.h).
#pragma once

#include <map>
#include <string>

namespace strata {

struct RecordedMachine {
  std::string hash;                          // machine_hash()
  std::map<std::string, std::string> files;  // contents by name
};

std::string pack(const RecordedMachine& machine);

/// Throws InputError about the trace `file` if the bytes are damaged, or a name is not that of a file in one folder.
RecordedMachine unpack(const std::string& packed, const std::string& file);

}  // namespace strata
