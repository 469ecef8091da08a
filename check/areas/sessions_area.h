// SPDX-License-Identifier: LGPL-2.1-only
// Area "sessions": monitoring sessions of one process, in every order of calls and messages. The return code of each
// call (mpi_ext/monitoring/session_states.h) and the records of each session (counters.h, members.h) are compared with
// a slow implementation of PDSEC'20, Section IV-A.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "check/areas/session_reading.h"
#include "check/engine/area.h"
#include "check/engine/domain.h"
#include "mpi_ext/monitoring/session_states.h"

namespace strata::check {

std::unique_ptr<Area> sessions_area();

/// A sequence of calls. A call that fails has no effect.
using SessionCase = std::vector<SessionCall>;

/// The data of a session that exists at the end.
struct SessionData {
  mpix::Row row, unpacked;                       // all kinds; the second is the first packed and unpacked
  std::array<mpix::Row, kMessageKinds> of_kind;  // each kind separately
  std::map<int, mpix::Amount> of_peer;           // as for_each_peer reports them
  mpix::Row when_suspended;                      // at its latest suspend or reset
};

/// The results of mpi_ext in a case.
struct SessionOutcome {
  std::vector<int> told;                       // return code by call; 0 for messages
  std::vector<int> there;                      // Protocol::sessions() at the end
  std::map<int, bool> active;                  // by session in `there`
  std::array<std::vector<int>, 6> all_for;     // by SessionCall
  std::map<int, SessionData> data;             // by session in `there`
  std::map<int, mpix::Row> alone;              // the row of each session without the calls of other sessions
  std::map<int, std::vector<int>> told_alone;  // and the return codes of its calls then
};

SessionOutcome session_outcome(const SessionCase& c);

/// The properties of the area; also for tests that apply them to wrong outcomes.
std::vector<Property<SessionCase, SessionOutcome>> session_properties();

/// Converts a case to "i.s1.m3.u1.d1", with the letters of session_reading.h, and back. Throws InputError. The empty
/// sequence is "nothing".
std::string session_key(const SessionCase& c);
SessionCase read_session_key(const std::string& key);

}  // namespace strata::check
