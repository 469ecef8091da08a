// SPDX-License-Identifier: LGPL-2.1-only
#include "native/launch/pmi1_server.h"

#include <charconv>
#include <cstddef>
#include <utility>

namespace strata::native {
namespace {

// As Hydra answers get_maxes, in characters. MPICH 4.0 reads lines of at most 1,024 (PMIU_MAXLINE).
constexpr int kNameMax = 256, kKeyMax = 64, kValueMax = 1024;
constexpr std::size_t kLineMax = 1024;
constexpr const char* kName = "kvs_0";
constexpr const char* kMapping = "PMI_process_mapping";
constexpr const char* kFound = "cmd=get_result rc=0 msg=success value=";

// Where the value of " key=" begins; npos: not in the line.
std::size_t begin_of(const std::string& line, const std::string& key) {
  const std::string assignment = key + "=";
  if (line.starts_with(assignment)) return assignment.size();
  const std::size_t found = line.find(" " + assignment);
  return found == std::string::npos ? found : found + 1 + assignment.size();
}

// The value of a key up to the next space; empty if the key is missing.
std::string word_of(const std::string& line, const std::string& key) {
  const std::size_t begin = begin_of(line, key);
  return begin == std::string::npos ? "" : line.substr(begin, line.find(' ', begin) - begin);
}

// The value of a line's last key, which may contain spaces.
std::string rest_of(const std::string& line, const std::string& key) {
  const std::size_t begin = begin_of(line, key);
  return begin == std::string::npos ? "" : line.substr(begin);
}

}  // namespace

Pmi1Server::Pmi1Server(int size, std::string mapping)
    : phases_(size, Phase::kBeforeInit), in_barrier_(size), in_spawn_(size) {
  const bool fits = std::string(kFound).size() + mapping.size() + 2 <= kLineMax;
  if (fits) values_[kMapping] = std::move(mapping);
}

std::vector<Pmi1Server::Reply> Pmi1Server::receive(int rank, const std::string& line) {
  const auto reply = [rank](const std::string& text) { return std::vector<Reply>{{rank, text + "\n"}}; };
  if (in_spawn_[rank]) {  // the lines of MPI_Comm_spawn up to its last one
    if (line != "endcmd") return {};
    in_spawn_[rank] = false;
    return reply("cmd=spawn_result rc=-1 msg=not_supported");
  }
  if (line == "mcmd=spawn") {
    in_spawn_[rank] = true;
    return {};
  }
  const std::string command = word_of(line, "cmd");
  if (command == "init") {
    phases_[rank] = Phase::kInitialized;
    return reply("cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0");
  }
  if (command == "get_maxes") {
    return reply("cmd=maxes kvsname_max=" + std::to_string(kNameMax) + " keylen_max=" + std::to_string(kKeyMax) +
                 " vallen_max=" + std::to_string(kValueMax) + " rc=0");
  }
  if (command == "get_appnum") return reply("cmd=appnum appnum=0 rc=0");
  if (command == "get_my_kvsname") return reply(std::string("cmd=my_kvsname kvsname=") + kName + " rc=0");
  if (command == "get_universe_size")
    return reply("cmd=universe_size size=" + std::to_string(phases_.size()) + " rc=0");
  if (command == "put") return reply(put(line));
  if (command == "get") return reply(get(line));
  if (command == "barrier_in") return barrier(rank);
  if (command == "publish_name") return reply(publish(line));
  if (command == "lookup_name") return reply(lookup(line));
  if (command == "unpublish_name") return reply(unpublish(line));
  if (command == "finalize") {
    phases_[rank] = Phase::kFinalized;
    return reply("cmd=finalize_ack rc=0");
  }
  if (command == "abort") {
    abort(rank, line);
    return {};
  }
  return command.empty() ? std::vector<Reply>{} : reply("cmd=" + command + "_result rc=-1 msg=unknown_command");
}

std::vector<Pmi1Server::Reply> Pmi1Server::barrier(int rank) {
  if (in_barrier_[rank]) return {};
  in_barrier_[rank] = true;
  if (++waiting_ < static_cast<int>(phases_.size())) return {};
  waiting_ = 0;
  in_barrier_.assign(in_barrier_.size(), false);
  std::vector<Reply> replies;
  for (int other = 0; other < static_cast<int>(phases_.size()); ++other)
    replies.push_back({other, "cmd=barrier_out rc=0\n"});
  return replies;
}

std::string Pmi1Server::put(const std::string& line) {
  const std::string key = word_of(line, "key");
  if (key.empty()) return "cmd=put_result rc=-1 msg=no_key";
  values_[key] = rest_of(line, "value");
  return "cmd=put_result rc=0 msg=success";
}

std::string Pmi1Server::get(const std::string& line) const {
  const auto found = values_.find(word_of(line, "key"));
  return found == values_.end() ? "cmd=get_result rc=-1 msg=key_not_found value=unknown" : kFound + found->second;
}

std::string Pmi1Server::publish(const std::string& line) {
  const std::string service = word_of(line, "service");
  const bool added = !service.empty() && services_.emplace(service, word_of(line, "port")).second;
  return added ? "cmd=publish_result rc=0 info=ok msg=success"
               : "cmd=publish_result rc=-1 info=duplicate_service msg=key_" + service + "_already_present";
}

std::string Pmi1Server::lookup(const std::string& line) const {
  const auto found = services_.find(word_of(line, "service"));
  return found == services_.end() ? "cmd=lookup_result rc=-1 info=service_not_found msg=service_not_found"
                                  : "cmd=lookup_result rc=0 info=ok port=" + found->second + " msg=success";
}

std::string Pmi1Server::unpublish(const std::string& line) {
  return services_.erase(word_of(line, "service")) != 0 ? "cmd=unpublish_result rc=0 info=ok msg=success"
                                                        : "cmd=unpublish_result rc=-1 info=not_found msg=not_found";
}

void Pmi1Server::abort(int rank, const std::string& line) {
  if (aborted_) return;
  const std::string code = word_of(line, "exitcode");
  int exit_code = 1;
  std::from_chars(code.data(), code.data() + code.size(), exit_code);
  aborted_ = {rank, exit_code, rest_of(line, "message")};
}

}  // namespace strata::native
