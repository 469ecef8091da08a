// SPDX-License-Identifier: LGPL-2.1-only
// The command line: the part of CLI11 that Strata uses, behind a header that is quick to read.
//
// CLI11 is header-only, and reading it costs a compiler some seconds in every file that includes it. Only cli.cc does.
// Classes and functions have CLI11's names and meaning; its documentation is theirs.
//
//   cli::App app("pingpong");
//   std::vector<long> sizes;
//   app.add_option("--bytes", sizes, "message sizes")->delimiter(',')->check(cli::NonNegativeNumber);
//   app.parse(argc, argv);
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace CLI {
class App;
class Option;
class Validator;
}  // namespace CLI

namespace strata::cli {

/// The command line is wrong; what() says how, in one line.
class ParseError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A word that is neither an option, a command nor an argument, such as --joobs.
class UnknownWord : public ParseError {
 public:
  UnknownWord(const std::string& what, std::string of, std::string given, std::vector<std::string> all)
      : ParseError(what), command(std::move(of)), word(std::move(given)), names(std::move(all)) {}
  std::string command;  // "strata nodecart survey"
  std::string word;
  std::vector<std::string> names;  // the options or commands that exist
};

/// To be thrown by callbacks: "--option: why".
class ValidationError : public ParseError {
 public:
  ValidationError(const std::string& option, const std::string& why) : ParseError(option + ": " + why) {}
};

/// Not a mistake: --help or --version was given.
class Success : public ParseError {
 public:
  Success(const std::string& what, std::string output) : ParseError(what), text(std::move(output)) {}
  std::string text;  // to be printed
};

/// What is wrong with a value; empty: nothing.
using Fault = std::function<std::string(const std::string&)>;

/// A condition on an option's value.
class Validator {
 public:
  /// `description` is shown by --help.
  Validator(const Fault& fault, const std::string& description, const std::string& name = "");
  explicit Validator(const CLI::Validator& validator);

 private:
  friend class Option;
  std::shared_ptr<const CLI::Validator> validator_;
};

Validator Range(int least, int most);
Validator Range(long least, long most);
Validator Range(double least, double most);
Validator IsMember(const std::vector<std::string>& values);
/// One of the keys.
template <class T>
Validator IsMember(const std::map<std::string, T>& values) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : values) keys.push_back(key);
  return IsMember(keys);
}
extern const Validator PositiveNumber, NonNegativeNumber;

/// The kind of an output that an option names.
enum class Written { kNothing, kFile, kFolder, kFileOrFolder };

/// An option that was given, and names an output.
struct GivenOutput {
  std::string option, path;
  Written what = Written::kNothing;
};

class App;

class Option {
 public:
  Option* required();
  Option* check(const Validator& validator);
  Option* check(const Fault& fault);
  Option* excludes(Option* other);
  Option* excludes(const std::string& other);
  Option* needs(Option* other);
  Option* delimiter(char separator);
  Option* allow_extra_args(bool allow);
  Option* type_name(const std::string& name);
  Option* description(const std::string& text);
  /// An earlier name, such as "--time-limit", which still works and is not in --help (App::old_names).
  Option* formerly(const std::string& name);
  /// An earlier word for one of its values: formerly_value("strace", "mpitrace"). It still works and is not in --help.
  Option* formerly_value(const std::string& old, const std::string& now);
  /// Values that a shell completes; others are possible, too.
  Option* suggests(const std::vector<std::string>& values);
  /// The value is the path of what the command writes (App::given_outputs).
  Option* writes(Written what);

 private:
  friend class App;
  Option(CLI::Option* option, App* app) : option_(option), app_(app) {}
  CLI::Option* option_;
  App* app_;
  Written written_ = Written::kNothing;
  std::vector<std::string> suggested_;
};

class App {
 public:
  explicit App(const std::string& description = "", const std::string& name = "");
  ~App();
  App(const App&) = delete;
  App& operator=(const App&) = delete;

  Option* add_option(const std::string& name, std::string& value, const std::string& description = "");
  Option* add_option(const std::string& name, int& value, const std::string& description = "");
  Option* add_option(const std::string& name, long& value, const std::string& description = "");
  Option* add_option(const std::string& name, std::uint64_t& value, const std::string& description = "");
  Option* add_option(const std::string& name, double& value, const std::string& description = "");
  Option* add_option(const std::string& name, std::optional<double>& value, const std::string& description = "");
  Option* add_option(const std::string& name, std::vector<std::string>& value, const std::string& description = "");
  Option* add_option(const std::string& name, std::vector<int>& value, const std::string& description = "");
  Option* add_option(const std::string& name, std::vector<long>& value, const std::string& description = "");
  Option* add_option(const std::string& name, std::vector<double>& value, const std::string& description = "");
  /// `set` is called with the value while the command line is read, and may throw.
  Option* add_option(const std::string& name, const std::function<void(const std::string&)>& set,
                     const std::string& description = "");
  Option* add_flag(const std::string& name, bool& value, const std::string& description = "");
  /// Of an option that was added. Throws where it was not.
  Option* get_option(const std::string& name);

  /// The heading under which --help lists these commands; without it "Subcommands". Groups appear in the order in which
  /// their first commands were added.
  void group(const std::string& heading, const std::vector<std::string>& commands);
  /// A command of a command, such as `strata nodecart survey`, needs none of the other's required options.
  App* add_subcommand(const std::string& name, const std::string& description);
  /// An earlier name of a command of this one: formerly("trace", {"replay", "convert"}).
  void formerly(const std::string& name, const std::vector<std::string>& now);
  void require_subcommand(int number);
  void require_subcommand(int least, int most);
  void footer(const std::string& text);
  void set_version_flag(const std::string& name, const std::string& version);
  /// For a subcommand that starts another program: from the first word on that is no option of ours, or from behind
  /// `--`, all goes into `rest`. An unknown option before it is refused.
  void take_rest(std::vector<std::string>& rest);
  /// Called when all of the command line has been read. May throw ParseError.
  void callback(const std::function<void()>& done);

  /// Long options of a subcommand may begin with one dash, as mpirun's do: `-np 4` is `--np 4`.
  /// Throws ParseError; Success where help or the version was asked for.
  void parse(int argc, char** argv);

  /// What --help says of this and of all subcommands, as a JSON document of this schema (schemas/help.schema.json).
  std::string describe(const std::string& schema) const;

  /// After parse: a sentence for each earlier name that was given, such as "--time-limit is now called --limit".
  const std::vector<std::string>& old_names() const { return *old_names_; }

  /// After parse: how often an option was given, and which subcommands.
  std::size_t count(const std::string& option) const;
  std::vector<std::string> get_subcommands() const;
  /// After parse: the outputs of the command according to its options, in their order. Without "-" for stdout.
  std::vector<GivenOutput> given_outputs() const;
  bool got_subcommand(const std::string& name) const;
  /// The command that was given, with those above it: "strata nodecart survey". Also valid after a ParseError.
  std::string given_command() const;

 private:
  friend class Option;
  App(CLI::App* subcommand, const App& parent);
  Option* keep(CLI::Option* option);
  App* subcommand(const std::string& name) const;  // null: none

  std::unique_ptr<CLI::App> owned_;  // null in a subcommand, which CLI11's parent owns
  CLI::App* app_;
  std::vector<std::unique_ptr<App>> subcommands_;
  std::vector<std::string>* rest_ = nullptr;
  std::vector<std::unique_ptr<Option>> options_;
  std::map<std::string, std::vector<std::string>> former_commands_;
  std::shared_ptr<std::vector<std::string>> old_names_;  // one of all commands
};

}  // namespace strata::cli
