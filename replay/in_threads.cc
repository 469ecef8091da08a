// SPDX-License-Identifier: LGPL-2.1-only
#include "replay/in_threads.h"

#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace strata::replay {

void in_threads(std::size_t count, int jobs, const std::function<void(std::size_t)>& task,
                const std::function<void()>& done) {
  std::atomic<std::size_t> next = 0;
  std::exception_ptr failure;
  std::mutex mutex;
  const auto work = [&] {
    for (std::size_t i; (i = next++) < count;) {
      try {
        task(i);
        const std::scoped_lock lock(mutex);
        if (done) done();
      } catch (...) {
        const std::scoped_lock lock(mutex);
        failure = std::current_exception();
      }
    }
  };
  std::vector<std::thread> threads;
  for (int j = 1; j < jobs; ++j) threads.emplace_back(work);
  work();
  for (std::thread& t : threads) t.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace strata::replay
