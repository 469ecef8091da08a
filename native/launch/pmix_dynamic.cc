// SPDX-License-Identifier: LGPL-2.1-only
#include "native/launch/pmix_dynamic.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "native/launch/published_names.h"

namespace strata::native {
namespace {

// A copy that belongs to us.
class OwnValue {
 public:
  explicit OwnValue(const pmix_value_t& from) { PMIx_Value_xfer(&value_, &from); }
  ~OwnValue() { PMIX_VALUE_DESTRUCT(&value_); }
  OwnValue(const OwnValue&) = delete;
  OwnValue& operator=(const OwnValue&) = delete;
  const pmix_value_t& get() const { return value_; }

 private:
  pmix_value_t value_ = {};
};

struct Published {
  pmix_proc_t publisher = {};
  std::shared_ptr<const OwnValue> value = {};
};

// libpmix's functions have no argument of ours. Never destroyed: its thread uses it until the process ends.
struct Dynamic {
  std::mutex mutex;
  PublishedNames<Published> names;
  std::function<void(const pmix_proc_t&, SpawnOrder)> spawn;
};
Dynamic& dynamic() {
  static Dynamic& one = *new Dynamic;
  return one;
}

bool is(const pmix_info_t& info, const char* key) { return std::strncmp(info.key, key, PMIX_MAX_KEYLEN) == 0; }

// Directives have keys of PMIx.
bool is_data(const pmix_info_t& info) { return std::strncmp(info.key, "pmix", 4) != 0; }

pmix_status_t publish(const pmix_proc_t* process, const pmix_info_t* infos, size_t count, pmix_op_cbfunc_t, void*) {
  Until until = Until::kUnpublished;
  for (size_t i = 0; i < count; ++i) {
    if (is(infos[i], PMIX_PERSISTENCE) && infos[i].value.data.persist == PMIX_PERSIST_FIRST_READ) until = Until::kRead;
  }
  const std::lock_guard lock(dynamic().mutex);
  for (size_t i = 0; i < count; ++i) {
    if (!is_data(infos[i])) continue;
    const Published value = {.publisher = *process, .value = std::make_shared<OwnValue>(infos[i].value)};
    if (!dynamic().names.publish(infos[i].key, value, until)) return PMIX_ERR_DUPLICATE_KEY;
  }
  return PMIX_OPERATION_SUCCEEDED;
}

// A rank that waits for a name does so in virtual time (native/rank/launcher_calls.cc), and then asks again.
pmix_status_t look_up(const pmix_proc_t*, char** keys, const pmix_info_t*, size_t, pmix_lookup_cbfunc_t function,
                      void* data) {
  std::vector<pmix_pdata_t> found;
  {
    const std::lock_guard lock(dynamic().mutex);
    for (; keys != nullptr && *keys != nullptr; ++keys) {
      const std::optional<Published> value = dynamic().names.look_up(*keys);
      if (!value) continue;
      pmix_pdata_t& one = found.emplace_back();
      one.proc = value->publisher;
      std::strncpy(one.key, *keys, PMIX_MAX_KEYLEN);
      PMIx_Value_xfer(&one.value, &value->value->get());
    }
  }
  if (found.empty()) return PMIX_ERR_NOT_FOUND;
  function(PMIX_SUCCESS, found.data(), found.size(), data);
  for (pmix_pdata_t& one : found) PMIX_VALUE_DESTRUCT(&one.value);
  return PMIX_SUCCESS;
}

pmix_status_t unpublish(const pmix_proc_t*, char** keys, const pmix_info_t*, size_t, pmix_op_cbfunc_t, void*) {
  bool all = true;
  const std::lock_guard lock(dynamic().mutex);
  for (; keys != nullptr && *keys != nullptr; ++keys) all = dynamic().names.unpublish(*keys) && all;
  return all ? PMIX_OPERATION_SUCCEEDED : PMIX_ERR_NOT_FOUND;
}

// All processes have called it, and all are this server's.
pmix_status_t connect(const pmix_proc_t*, size_t, const pmix_info_t*, size_t, pmix_op_cbfunc_t function, void* data) {
  function(PMIX_SUCCESS, data);
  return PMIX_SUCCESS;
}

std::vector<std::string> separate(const std::string& list) {
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    if (end > begin) words.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

SpawnProgram program_of(const pmix_app_t& app) {
  SpawnProgram program{.count = app.maxprocs};
  program.words = {app.cmd};
  // argv has the name too.
  for (char** word = app.argv; word != nullptr && *word != nullptr; ++word)
    if (word != app.argv) program.words.emplace_back(*word);
  if (app.cwd != nullptr) program.folder = app.cwd;
  for (char** variable = app.env; variable != nullptr && *variable != nullptr; ++variable) {
    const std::string text = *variable;
    const std::size_t sign = text.find('=');
    if (sign != std::string::npos) program.environment[text.substr(0, sign)] = text.substr(sign + 1);
  }
  for (size_t i = 0; i < app.ninfo; ++i) {
    const pmix_info_t& info = app.info[i];
    if (info.value.type != PMIX_STRING || info.value.data.string == nullptr) continue;
    if (is(info, PMIX_WDIR)) program.folder = info.value.data.string;
    if (is(info, PMIX_HOST)) program.hosts = separate(info.value.data.string);
  }
  return program;
}

pmix_status_t status_of(SpawnOrder::Outcome outcome) {
  switch (outcome) {
    case SpawnOrder::Outcome::kStarted:
      return PMIX_SUCCESS;
    case SpawnOrder::Outcome::kNoProgram:
      return PMIX_ERR_JOB_EXE_NOT_FOUND;
    case SpawnOrder::Outcome::kNoRoom:
      break;
  }
  return PMIX_ERR_OUT_OF_RESOURCE;
}

pmix_status_t spawn(const pmix_proc_t* process, const pmix_info_t*, size_t, const pmix_app_t* apps, size_t count,
                    pmix_spawn_cbfunc_t function, void* data) {
  SpawnOrder order;
  for (size_t i = 0; i < count; ++i) order.programs.push_back(program_of(apps[i]));
  order.answer = [function, data](SpawnOrder::Outcome outcome, const std::string& job) {
    pmix_nspace_t name = {};
    std::strncpy(name, job.c_str(), PMIX_MAX_NSLEN);
    function(status_of(outcome), name, data);
  };
  dynamic().spawn(*process, std::move(order));
  return PMIX_SUCCESS;
}

}  // namespace

void add_dynamic_functions(pmix_server_module_t& module, std::function<void(const pmix_proc_t&, SpawnOrder)> on_spawn) {
  dynamic().spawn = std::move(on_spawn);
  module.publish = publish;
  module.lookup = look_up;
  module.unpublish = unpublish;
  module.spawn = spawn;
  module.connect = connect;
  module.disconnect = connect;
}

void forget_published_names() {
  const std::lock_guard lock(dynamic().mutex);
  dynamic().names = {};
}

}  // namespace strata::native
