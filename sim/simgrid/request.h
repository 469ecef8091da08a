// Of SMPI's class of requests what tells who sends how much to whom, which Debian's package does not install the header
// of: as SimGrid 3.32 declares it in src/smpi/include/smpi_request.hpp and smpi_f2c.hpp (LGPL-2.1). The flags are those
// of src/smpi/include/private.hpp.
//
// The order of the members is the library's binary interface; hence the check of the version. The class ends early:
// none is made here.
#pragma once

#include <mpi.h>
#include <simgrid/forward.h>
#include <simgrid/version.h>

#include <cstddef>
#include <string>

static_assert(SIMGRID_VERSION_MAJOR == 3 && SIMGRID_VERSION_MINOR == 32,
              "compare this file with the other version's src/smpi/include/smpi_request.hpp and smpi_f2c.hpp");

namespace simgrid::smpi {

class F2C {
  int fortran_handle_;
  bool deleted_;
  std::string call_location_;

 public:
  virtual ~F2C() = default;
  virtual std::string name() const = 0;
};

class Request : public F2C {
  void* buffer_;
  void* users_buffer_;
  MPI_Datatype type_;
  std::size_t size_;
  aid_t src_, dst_;
  int tag_;
  aid_t real_src_;
  int real_tag_;
  bool truncated_, unmatched_types_;
  std::size_t real_size_;
  MPI_Comm comm_;
  void* action_;
  unsigned flags_;

 public:
  static constexpr unsigned kSend = 0x4, kReceive = 0x8, kOneSided = 0x200;
  static constexpr unsigned kLast = 0x10000;  // the highest that there is

  /// Begins the communication: all that SMPI sends passes here, whoever asked for it.
  void start();

  MPI_Datatype type() const { return type_; }
  std::size_t size() const { return size_; }  // bytes of data
  aid_t sender() const { return src_; }
  aid_t receiver() const { return dst_; }
  int tag() const { return tag_; }
  unsigned flags() const { return flags_; }
};

/// Of a group the ids of its actors.
class Group {
 public:
  aid_t actor(int rank) const;
};

}  // namespace simgrid::smpi
