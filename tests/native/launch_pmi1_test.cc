// SPDX-License-Identifier: LGPL-2.1-only
// PMI-1 without processes: the answers of the pure core, and bytes that arrive in pieces.
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <random>

#include "native/launch/pmi1_server.h"
#include "native/launch/pmi1_sockets.h"
#include "native/launch/process_mapping.h"

namespace strata::native {
namespace {

using Replies = std::vector<Pmi1Server::Reply>;

// MPICH's reading of the text: the blocks again and again until all ranks have a node.
std::vector<int> expanded(const std::string& mapping, std::size_t ranks) {
  std::vector<int> nodes;
  while (nodes.size() < ranks) {
    int first = 0, count = 0, each = 0, used = 0;
    const char* at = mapping.c_str() + std::string("(vector").size();
    while (std::sscanf(at, ",(%d,%d,%d)%n", &first, &count, &each, &used) == 3) {
      at += used;
      for (int node = first; node < first + count; ++node)
        for (int i = 0; i < each && nodes.size() < ranks; ++i) nodes.push_back(node);
    }
    if (std::string(at) != ")") return {};
  }
  return nodes;
}

TEST(ProcessMapping, Examples) {
  EXPECT_EQ(process_mapping({0, 0, 1, 1, 2, 2}), "(vector,(0,3,2))");
  EXPECT_EQ(process_mapping({0, 1, 2, 0, 1, 2, 0}), "(vector,(0,3,1))");
  EXPECT_EQ(process_mapping({0, 0, 0, 1, 1, 1, 1, 2}), "(vector,(0,1,3),(1,1,4),(2,1,1))");
  EXPECT_EQ(process_mapping({5}), "(vector,(5,1,1))");
  EXPECT_EQ(process_mapping({1, 0, 1, 0}), "(vector,(1,1,1),(0,1,1))");
}

TEST(ProcessMapping, AnyPlacementComesBack) {
  std::mt19937 random(1);
  for (int trial = 0; trial < 2000; ++trial) {
    const int ranks = 1 + static_cast<int>(random() % 12), nodes = 1 + static_cast<int>(random() % 4);
    std::vector<int> node_of(ranks);
    for (int& node : node_of) node = static_cast<int>(random()) % nodes;
    for (int& node : node_of) node = std::abs(node);
    EXPECT_EQ(expanded(process_mapping(node_of), node_of.size()), node_of) << "trial " << trial;
  }
}

TEST(Pmi1Server, AnswersARank) {
  Pmi1Server server(3, "(vector,(0,3,1))");
  EXPECT_EQ(server.phase(1), Pmi1Server::Phase::kBeforeInit);
  EXPECT_EQ(server.receive(1, "cmd=init pmi_version=1 pmi_subversion=1"),
            (Replies{{1, "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0\n"}}));
  EXPECT_EQ(server.phase(1), Pmi1Server::Phase::kInitialized);
  EXPECT_EQ(server.receive(1, "cmd=get_maxes"),
            (Replies{{1, "cmd=maxes kvsname_max=256 keylen_max=64 vallen_max=1024 rc=0\n"}}));
  EXPECT_EQ(server.receive(1, "cmd=get_appnum"), (Replies{{1, "cmd=appnum appnum=0 rc=0\n"}}));
  EXPECT_EQ(server.receive(1, "cmd=get_my_kvsname"), (Replies{{1, "cmd=my_kvsname kvsname=kvs_0 rc=0\n"}}));
  EXPECT_EQ(server.receive(1, "cmd=get_universe_size"), (Replies{{1, "cmd=universe_size size=3 rc=0\n"}}));
  EXPECT_EQ(server.receive(1, "cmd=get kvsname=kvs_0 key=PMI_process_mapping"),
            (Replies{{1, "cmd=get_result rc=0 msg=success value=(vector,(0,3,1))\n"}}));
  EXPECT_EQ(server.receive(1, "cmd=finalize"), (Replies{{1, "cmd=finalize_ack rc=0\n"}}));
  EXPECT_EQ(server.phase(1), Pmi1Server::Phase::kFinalized);
  EXPECT_EQ(server.phase(0), Pmi1Server::Phase::kBeforeInit);
}

TEST(Pmi1Server, KeepsValuesWithSpaces) {
  Pmi1Server server(2, "(vector,(0,1,2))");
  EXPECT_EQ(server.receive(0, "cmd=put kvsname=kvs_0 key=bc-0 value=a key=b = c"),
            (Replies{{0, "cmd=put_result rc=0 msg=success\n"}}));
  EXPECT_EQ(server.receive(1, "cmd=get kvsname=kvs_0 key=bc-0"),
            (Replies{{1, "cmd=get_result rc=0 msg=success value=a key=b = c\n"}}));
  EXPECT_EQ(server.receive(1, "cmd=get kvsname=kvs_0 key=bc-1"),
            (Replies{{1, "cmd=get_result rc=-1 msg=key_not_found value=unknown\n"}}));
}

TEST(Pmi1Server, BarrierReleasesAllWhenTheLastArrives) {
  Pmi1Server server(3, "");
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(server.receive(2, "cmd=barrier_in"), Replies{});
    EXPECT_EQ(server.receive(2, "cmd=barrier_in"), Replies{});  // twice by the same rank is once
    EXPECT_EQ(server.receive(0, "cmd=barrier_in"), Replies{});
    const std::string out = "cmd=barrier_out rc=0\n";
    EXPECT_EQ(server.receive(1, "cmd=barrier_in"), (Replies{{0, out}, {1, out}, {2, out}}));
  }
}

TEST(Pmi1Server, RemembersTheFirstAbort) {
  Pmi1Server server(2, "");
  EXPECT_EQ(server.receive(1, "cmd=abort exitcode=7 message=out of memory"), Replies{});
  EXPECT_EQ(server.receive(0, "cmd=abort exitcode=8"), Replies{});
  ASSERT_TRUE(server.aborted());
  EXPECT_EQ(server.aborted()->rank, 1);
  EXPECT_EQ(server.aborted()->exit_code, 7);
  EXPECT_EQ(server.aborted()->message, "out of memory");
}

TEST(Pmi1Server, NamesOfServices) {
  Pmi1Server server(2, "");
  EXPECT_EQ(server.receive(0, "cmd=lookup_name service=s")[0].line.substr(0, 25), "cmd=lookup_result rc=-1 i");
  EXPECT_EQ(server.receive(0, "cmd=publish_name service=s port=p1"),
            (Replies{{0, "cmd=publish_result rc=0 info=ok msg=success\n"}}));
  EXPECT_EQ(server.receive(1, "cmd=lookup_name service=s"),
            (Replies{{1, "cmd=lookup_result rc=0 info=ok port=p1 msg=success\n"}}));
  EXPECT_EQ(server.receive(1, "cmd=unpublish_name service=s"),
            (Replies{{1, "cmd=unpublish_result rc=0 info=ok msg=success\n"}}));
}

TEST(Pmi1Server, RefusesSpawnAfterAllItsLines) {
  Pmi1Server server(1, "");
  EXPECT_EQ(server.receive(0, "mcmd=spawn"), Replies{});
  EXPECT_EQ(server.receive(0, "cmd=init"), Replies{});  // a line of the program's arguments
  EXPECT_EQ(server.receive(0, "endcmd"), (Replies{{0, "cmd=spawn_result rc=-1 msg=not_supported\n"}}));
  EXPECT_EQ(server.phase(0), Pmi1Server::Phase::kBeforeInit);
}

TEST(Pmi1Server, MalformedLines) {
  Pmi1Server server(1, "");
  for (const char* line : {"", " ", "=", "cmd", "cmd=", " cmd= ", "kvs", "\xff\xfe", "command=init"})
    EXPECT_EQ(server.receive(0, line), Replies{}) << line;
  EXPECT_EQ(server.receive(0, "cmd=dance a=b"), (Replies{{0, "cmd=dance_result rc=-1 msg=unknown_command\n"}}));
  EXPECT_EQ(server.receive(0, "cmd=put"), (Replies{{0, "cmd=put_result rc=-1 msg=no_key\n"}}));
  EXPECT_EQ(server.receive(0, "cmd=get"), (Replies{{0, "cmd=get_result rc=-1 msg=key_not_found value=unknown\n"}}));
  EXPECT_EQ(server.receive(0, "cmd=abort exitcode=x"), Replies{});
  EXPECT_EQ(server.aborted()->exit_code, 1);
}

TEST(Pmi1Server, LeavesOutAMappingThatMpichCannotRead) {
  const auto answer = [](std::size_t length) {
    Pmi1Server server(1, std::string(length, 'x'));
    return server.receive(0, "cmd=get key=PMI_process_mapping")[0].line;
  };
  EXPECT_EQ(answer(900).size(), 939u);
  EXPECT_EQ(answer(1000), "cmd=get_result rc=-1 msg=key_not_found value=unknown\n");
}

class Sockets : public ::testing::Test {
 protected:
  Sockets() : server_(2, ""), sockets_(server_, 2), ends_{sockets_.open(0), sockets_.open(1)} {}
  ~Sockets() override {
    for (const int end : ends_) ::close(end);
  }
  void say(int rank, const std::string& bytes) {
    EXPECT_EQ(::write(ends_[rank], bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
    sockets_.receive(rank);
  }
  std::string heard(int rank) const {
    std::array<char, 4096> bytes;
    const ssize_t got = ::recv(ends_[rank], bytes.data(), bytes.size(), MSG_DONTWAIT);
    return got < 0 ? "" : std::string(bytes.data(), static_cast<std::size_t>(got));
  }

  Pmi1Server server_;
  Pmi1Sockets sockets_;
  std::array<int, 2> ends_;
};

TEST_F(Sockets, LinesInPiecesAndSeveralAtOnce) {
  say(0, "cmd=get_ap");
  EXPECT_EQ(heard(0), "");
  say(0, "pnum\ncmd=barrier_in\ncmd=get_u");
  EXPECT_EQ(heard(0), "cmd=appnum appnum=0 rc=0\n");
  say(1, "cmd=barrier_in\n");
  EXPECT_EQ(heard(0), "cmd=barrier_out rc=0\n");
  EXPECT_EQ(heard(1), "cmd=barrier_out rc=0\n");
}

TEST_F(Sockets, ARankThatIsGoneDoesNotDisturbOthers) {
  say(0, "cmd=barrier_in\n");
  ::shutdown(ends_[0], SHUT_RDWR);
  sockets_.receive(0);
  EXPECT_EQ(sockets_.descriptor(0), -1);
  say(1, "cmd=barrier_in\n");
  EXPECT_EQ(heard(1), "cmd=barrier_out rc=0\n");
}

TEST_F(Sockets, ALineWithoutEndClosesTheSocket) {
  const std::string part(1 << 16, 'x');
  for (int i = 0; i < 17; ++i) {
    if (sockets_.descriptor(0) < 0) break;
    say(0, part);
  }
  EXPECT_EQ(sockets_.descriptor(0), -1);
}

}  // namespace
}  // namespace strata::native
