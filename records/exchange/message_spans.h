// SPDX-License-Identifier: LGPL-2.1-only
// How the library that sees the buffers of messages (mpi_ext/preload/tap) tells the platform plugin what their ranks
// have touched since they last touched them (buffer_reuse.h). If the machine goes by buffers, the root zone's property
// kMessageSpansProperty contains the address of a MessageSpans (address.h):
//
//   spans->next_message(8 << 20, 0);    the sender has touched 8 MiB in between, the receiver's buffer is not known
//   ...                                 SimGrid starts the message
//   spans->next_message(0, 0);
#pragma once

extern "C" {

/// Weak: null if no library sees buffers. The span, B, of the buffer of a request that the calling rank starts now, for
/// the library that records a trace; 0: not known, or the machine does not go by buffers. `request` is a
/// simgrid::smpi::Request. Call it at most once for each start, before the request is started.
__attribute__((weak)) double strata_monitoring_buffer_span(const void* request);
}

namespace strata {

inline constexpr const char* kMessageSpansProperty = "strata_message_spans";

class MessageSpans {
 public:
  /// The spans, B, of the ends of the messages that begin to flow from now on; 0: not known.
  virtual void next_message(double source, double destination) = 0;

 protected:
  ~MessageSpans() = default;
};

}  // namespace strata
