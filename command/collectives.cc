// SPDX-License-Identifier: LGPL-2.1-only
// strata collectives: which algorithms an MPI library uses for collectives, and which would be faster on a machine.
#include "command/collectives.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>

#include "base/error.h"
#include "collectives/chosen/chosen.h"
#include "collectives/rules/mpich_variables.h"

namespace strata::command {

std::int64_t read_size(const std::string& text, const std::string& option) {
  std::int64_t number = 0;
  const char* const end = text.data() + text.size();
  auto [rest, error] = std::from_chars(text.data(), end, number);
  int power = 0;
  const std::string_view unit(rest, end);
  if (unit == "K") power = 10;
  if (unit == "M") power = 20;
  if (unit == "G") power = 30;
  if (error != std::errc() || number < 0 || number > (std::int64_t{1} << 50) >> power ||
      (power == 0 && !unit.empty())) {
    throw InputError(option, fmt::format("'{}' is not a size", text), "write bytes, or for example 16K, 1M or 2G");
  }
  return number << power;
}

collectives::Library read_library(const std::string& mpi) {
  const collectives::Library library = collectives::parse_library(mpi, "--mpi");
  if (!collectives::Chooser::knows(library)) {
    throw InputError("--mpi", fmt::format("the algorithms of {} are not known here", title_of(library)),
                     "write openmpi-4.1, openmpi-5.0, mpich-4.0 or mpich-4.2");
  }
  return library;
}

std::set<collectives::Operation> not_composed_by(const collectives::Library& library) {
  if (library.is_openmpi()) return {};
  return collectives::not_composed([](const char* variable) { return std::getenv(variable); });
}

std::vector<std::string> operation_names() {
  std::vector<std::string> names;
  for (const auto& word : collectives::kOperations) names.emplace_back(name_of(word.value));
  return names;
}

void add_collectives(cli::App& app, Action& action) {
  cli::App* sub =
      app.add_subcommand("collectives", "Which algorithms MPI libraries use for collectives, why, and what they take");
  sub->require_subcommand(1);
  sub->footer(
      "Examples:\n  strata collectives explain --machine ntw10e5 -n 64 --op bcast --bytes 1M\n"
      "  strata collectives tune --machine ntw10e5 -n 48,240 --op bcast,allreduce --out rules.conf\n"
      "  strata collectives evaluate --machine ntw10e5 -n 48,240 --op bcast,allreduce --rules rules.conf");
  add_collectives_explain(*sub, action);
  add_collectives_tune(*sub, action);
  add_collectives_evaluate(*sub, action);
}

}  // namespace strata::command
