#include "command/matrix_input.h"

#include <fmt/format.h>

#include "analysis/format.h"
#include "platforms/error.h"

namespace strata::command {
namespace {

// "E,I" or "EI" as "EI".
std::string letters_of(const std::string& kinds) {
  std::string letters;
  for (const char c : kinds) {
    if (c == ',') continue;
    if (std::string(mpix::kProfileKinds).find(c) == std::string::npos || letters.find(c) != std::string::npos) {
      throw InputError("--kinds", "'" + kinds + "' is no list of kinds",
                       "give some of E (messages of the program), I (of collectives), C (collectives as called), "
                       "S (one-sided, sent), R (one-sided, read), as E,I");
    }
    letters += c;
  }
  if (letters.empty()) throw InputError("--kinds", "no kinds", "give some of E, I, C, S, R, as E,I");
  return letters;
}

}  // namespace

void MatrixInput::add_choice(cli::App& app) {
  app.add_option("--kinds", kinds,
                 "of a profile: E (messages of the program), I (of collectives), C (collectives as called), S, R "
                 "(one-sided, sent and read); default E,I");
  app.add_flag("--messages", messages, "of a profile: numbers of messages instead of bytes");
}

mpix::MatrixFile MatrixInput::read(int order) const {
  mpix::MatrixFile file = mpix::read_matrix_files({files.begin(), files.end()}, order, letters_of(kinds));
  if (messages && !file.messages) {
    throw InputError(files.front(), "has no numbers of messages", "give a .prof, or leave out --messages");
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
