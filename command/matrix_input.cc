// SPDX-License-Identifier: LGPL-2.1-only
#include "command/matrix_input.h"

#include <fmt/format.h>

#include "analysis/format.h"
#include "base/error.h"
#include "records/matrix/prof_file.h"

namespace strata::command {
namespace {

// "EI" for both "E,I" and "EI".
std::string letters_of(const std::string& kinds) {
  std::string letters;
  for (const char c : kinds) {
    if (c == ',') continue;
    if (std::string(kProfileKinds).find(c) == std::string::npos || letters.find(c) != std::string::npos) {
      throw InputError("--kinds", "'" + kinds + "' is not a list of kinds",
                       "give some of E (messages of the program), I (of collectives), C (collectives as called), "
                       "S (one-sided, sent), R (one-sided, read), for example E,I");
    }
    letters += c;
  }
  if (letters.empty()) throw InputError("--kinds", "no kinds are given", "give some of E, I, C, S, R, for example E,I");
  return letters;
}

}  // namespace

void MatrixInput::add_choice(cli::App& app) {
  app.add_option(
      "--kinds", kinds,
      "kinds of messages to read from a profile: E (the program's), I (those that collectives consist of), C "
      "(collectives as called), S and R (one-sided, sent and read); default E,I");
  app.add_flag("--messages", messages, "read numbers of messages from a profile, instead of bytes");
}

MatrixFile MatrixInput::read(int order) const {
  MatrixFile file = read_matrix_files({files.begin(), files.end()}, order, letters_of(kinds));
  if (messages && !file.messages) {
    throw InputError(files.front(), "has bytes only, no numbers of messages", "give a .prof, or leave out --messages");
  }
  return file;
}

std::string MatrixInput::name() const {
  return files.size() == 1 ? files.front() : fmt::format("{} and {} more", files.front(), files.size() - 1);
}

std::string MatrixInput::amount(double value) const {
  return messages ? fmt::format("{:.0f} message{}", value, value == 1 ? "" : "s") : analysis::with_unit(value, "B", 3);
}

std::string share_text(double part, double whole) {
  return whole > 0 ? fmt::format("{:.3g} %", 100 * part / whole) : "-";
}

}  // namespace strata::command
