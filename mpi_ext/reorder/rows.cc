#include "mpi_ext/reorder/rows.h"

#include <algorithm>
#include <climits>
#include <type_traits>
#include <utility>

#include "mpi_ext/coll/message.h"
#include "mpi_ext/error.h"
#include "mpi_ext/ranks.h"

namespace strata::mpix {
namespace {

static_assert(std::is_trivially_copyable_v<Flow>, "sent as bytes");

// An entry as MPI sees it: counts of entries reach further than counts of bytes.
class FlowType {
 public:
  FlowType() {
    check(MPI_Type_contiguous(sizeof(Flow), MPI_BYTE, &type_));
    check(MPI_Type_commit(&type_));
  }
  FlowType(const FlowType&) = delete;
  FlowType& operator=(const FlowType&) = delete;
  ~FlowType() { MPI_Type_free(&type_); }
  MPI_Datatype get() const { return type_; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

}  // namespace

std::vector<Flow> gather_flows(MPI_Comm context, std::vector<Flow> mine) {
  const int rank = rank_in(context), size = size_of(context);
  const FlowType flow;
  for (long bit = 1; bit < size; bit *= 2) {
    if ((rank & bit) != 0) {
      const int to = rank - static_cast<int>(bit);
      long entries = static_cast<long>(mine.size());
      send(&entries, 1, MPI_LONG, to, context);
      for (long first = 0; first < entries; first += INT_MAX) {
        send(mine.data() + first, static_cast<int>(std::min<long>(INT_MAX, entries - first)), flow.get(), to, context);
      }
      return {};
    }
    if (rank + bit >= size) continue;
    const int from = rank + static_cast<int>(bit);
    long entries = 0;
    receive(&entries, 1, MPI_LONG, from, context);
    const size_t before = mine.size();
    mine.resize(before + static_cast<size_t>(entries));
    for (long first = 0; first < entries; first += INT_MAX) {
      receive(mine.data() + before + first, static_cast<int>(std::min<long>(INT_MAX, entries - first)), flow.get(),
              from, context);
    }
  }
  return mine;
}

}  // namespace strata::mpix
