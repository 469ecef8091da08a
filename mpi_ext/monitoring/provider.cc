#include "mpi_ext/monitoring/provider.h"

#include <cstdlib>

#include "mpi_ext/adapter/watched.h"
#include "mpi_ext/monitoring/process.h"

namespace strata::mpix::monitoring {
namespace {

class TapProvider : public Provider {
 public:
  TapProvider() : sees_(listen_to_tap()) {}
  ~TapProvider() override { ignore_tap(); }
  int sees() const override { return sees_; }
  void mute() override { ++own_marks().muted; }
  void unmute() override { --own_marks().muted; }

 private:
  int sees_;
};

}  // namespace

std::unique_ptr<Provider> find_provider(std::string& why_not) {
  const char* said = std::getenv("MPI_M_PROVIDER");
  const std::string wanted = said == nullptr ? "" : said;
  const std::string tap = kTapName;
  if (strata_monitoring_listen != nullptr && (wanted.empty() || wanted == tap)) return std::make_unique<TapProvider>();
  const std::string remedy = tap == "smpi" ? "preload libmpix_monitoring_smpi.so into smpirun, as `strata run` does"
                                           : "preload libmpix_monitoring_MPI.so, or link the program with it";
  if (wanted.empty() || wanted == tap) {
    why_not = "nobody sees messages here; " + remedy;
  } else {
    why_not = "MPI_M_PROVIDER: '" + wanted + "' is not there; here '" + tap + "' may be";
  }
  return nullptr;
}

}  // namespace strata::mpix::monitoring
