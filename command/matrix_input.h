// SPDX-License-Identifier: LGPL-2.1-only
// The communication matrix given to a command: its files, and which of their numbers to use.
#pragma once

#include <string>
#include <vector>

#include "records/matrix/matrix_file.h"
#include "third_party/cli/cli.h"

namespace strata::command {

struct MatrixInput {
  std::vector<std::string> files;
  std::string kinds = "E,I";
  bool messages = false;

  /// Adds --kinds and --messages.
  void add_choice(cli::App& app);

  /// Throws InputError as read_matrix_files does, if `kinds` is not a list of kinds, or if messages are requested but
  /// not in the files.
  MatrixFile read(int order) const;
  /// The matrix selected by --messages: messages or bytes.
  const Pattern& counted(const MatrixFile& file) const { return messages ? *file.messages : file.bytes; }

  /// "run.0.prof and 7 more".
  std::string name() const;
  /// The unit for console/number.h: "B", or "" for messages.
  std::string unit() const { return messages ? "" : "B"; }
  /// "bytes" or "messages".
  std::string noun() const { return messages ? "messages" : "bytes"; }
  /// "1.47 MB", "224 messages".
  std::string amount(double value) const;
};

/// "12.5 %", or "-" if `whole` is 0.
std::string share_text(double part, double whole);

}  // namespace strata::command
