// SPDX-License-Identifier: LGPL-2.1-only
// Area "sessions": monitoring sessions of one process, in every order of calls and messages: what each call returns
// (mpi_ext/monitoring/protocol.h) and what each session records (counters.h, members.h), against a slow reading of
// PDSEC'20, Section IV-A.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "check/areas/session_reading.h"
#include "check/engine/area.h"
#include "check/engine/domain.h"
#include "mpi_ext/monitoring/protocol.h"

namespace strata::check {

std::unique_ptr<Area> sessions_area();

/// One call after another. A call that is refused changes nothing.
using SessionCase = std::vector<SessionCall>;

/// What a session that is there has at the end.
struct SessionData {
  mpix::Row row, unpacked;                       // of all kinds; the same packed and unpacked
  std::array<mpix::Row, kMessageKinds> of_kind;  // of one kind each
  std::map<int, mpix::Amount> of_peer;           // as for_each_peer tells them
  mpix::Row when_suspended;                      // at its last suspend or reset
};

/// What mpi_ext makes of a case.
struct SessionOutcome {
  std::vector<int> told;                       // by call; 0 of what is sent
  std::vector<int> there;                      // Protocol::sessions() at the end
  std::map<int, bool> active;                  // those
  std::array<std::vector<int>, 6> all_for;     // by SessionCall
  std::map<int, SessionData> data;             // of those
  std::map<int, mpix::Row> alone;              // the row of each where no other session's calls are made
  std::map<int, std::vector<int>> told_alone;  // and what each of its calls is told then
};

SessionOutcome session_outcome(const SessionCase& c);

/// The properties of the area, for tests that ask them of outcomes that are wrong.
std::vector<Property<SessionCase, SessionOutcome>> session_properties();

/// "i.s1.m3.u1.d1", the letters of session_reading.h, and back. Throws InputError. The empty sequence is "nothing".
std::string session_key(const SessionCase& c);
SessionCase read_session_key(const std::string& key);

}  // namespace strata::check
