// SPDX-License-Identifier: LGPL-2.1-only
// The import of nodes: unusual ones from XML, one-liners, bad input, and a violation of every invariant.
#include "platforms/node_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <set>
#include <stdexcept>

#include "base/error.h"
#include "platforms/hwloc_xml.h"
#include "platforms/isolated_import.h"
#include "tests/platforms/machines.h"

namespace strata {
namespace {

using testing::HasSubstr;

std::vector<std::string> names(const NodeTree& t) {
  std::vector<std::string> result;
  for (const NodeObject& o : t.objects()) result.push_back(o.name);
  return result;
}

std::string core_sets(const NodeTree& t) {
  std::string text;
  for (int c : t.cores()) text += (text.empty() ? "" : " ") + t.objects()[c].cpuset.list();
  return text;
}

// --- worked machines -----------------------------------------------------------------------------------------------

TEST(ImportNode, SmtCoresKeepTheirTwoPus) {
  const auto t = test_node("32smt-2p4n16c2t");
  const std::string core = "L2(L1d(Core(PU PU)))";
  const std::string l3 = "L3(NUMANode(" + core + " " + core + " " + core + " " + core + "))";
  EXPECT_EQ(shape_of(*t), "Machine(Package(" + l3 + " " + l3 + ") Package(" + l3 + " " + l3 + "))");
  EXPECT_EQ(core_sets(*t), "0-1 2-3 4-5 6-7 8-9 10-11 12-13 14-15 16-17 18-19 20-21 22-23 24-25 26-27 28-29 30-31");
  EXPECT_EQ(t->objects()[t->covering(*Cpuset::parse("6-7"))].name, "Core");
  EXPECT_EQ(t->objects()[t->covering(*Cpuset::parse("7"))].name, "PU");
  EXPECT_EQ(t->objects()[t->covering(*Cpuset::parse("7-8"))].name, "Package");
  EXPECT_EQ(t->objects()[t->covering(*Cpuset::parse("0-7"))].name, "NUMANode");  // just below its L3
}

TEST(ImportNode, TwoNumaNodesOfOnePlaceAreOneVertex) {
  const auto t = test_node("32knl-2n8c4t");
  const std::string core = "L1d(Core(PU PU PU PU))";
  const std::string l2 = "L2(" + core + " " + core + ")";
  EXPECT_EQ(shape_of(*t), "Machine(NUMANode(" + l2 + " " + l2 + " " + l2 + " " + l2 + "))");
  EXPECT_EQ(t->objects()[1].logical_index, 0);
  EXPECT_EQ(t->objects()[1].os_index, 0);
  EXPECT_EQ(t->objects()[1].note, "96GB + 16GB");
}

TEST(ImportNode, PusActAsCoresWhereThereAreNone) {
  const auto t = test_node("8nocore-2p2n");
  const std::string package = "Package(NUMANode(L2(PU PU) L2(PU PU)))";
  EXPECT_EQ(shape_of(*t), "Machine(" + package + " " + package + ")");
  EXPECT_EQ(core_sets(*t), "0 1 2 3 4 5 6 7");
}

TEST(ImportNode, CoresMayHoldCaches) {
  const auto t = test_node("8corecache-2p2c2t");
  const std::string core = "Core(L1d(PU) L1d(PU))";
  const std::string package = "Package(NUMANode(" + core + " " + core + "))";
  EXPECT_EQ(shape_of(*t), "Machine(" + package + " " + package + ")");
  EXPECT_EQ(core_sets(*t), "0-1 2-3 4-5 6-7");
  EXPECT_EQ(t->objects()[t->covering(*Cpuset::parse("2"))].name, "PU");
  EXPECT_EQ(t->objects()[t->covering(*Cpuset::parse("2-3"))].name, "Core");
}

TEST(ImportNode, GroupsKeepTheirLevels) {
  const auto t = test_node("16groups-2g2g2p2c");
  const std::string group1 = "Group1(Package(NUMANode(Core Core)) Package(NUMANode(Core Core)))";
  EXPECT_EQ(shape_of(*t), "Machine(Group0(" + group1 + " " + group1 + ") Group0(" + group1 + " " + group1 + "))");
}

TEST(ImportNode, NumaNodesAtTwoLevelsAreTwoVertices) {
  const auto t = test_node("4nested-2p3n");
  EXPECT_EQ(shape_of(*t), "Machine(NUMANode(Package(NUMANode(Core Core)) Package(NUMANode(Core Core))))");
  EXPECT_EQ(t->objects()[1].logical_index, 2);  // hwloc counts those of the packages first
}

TEST(ImportNode, PackagesMayDiffer) {
  const auto t = test_node("5asymmetric-2p2n5c");
  EXPECT_EQ(shape_of(*t), "Machine(Package(NUMANode(L3(Core Core Core Core))) Package(NUMANode(L3(Core))))");
  EXPECT_EQ(t->objects()[t->covering(*Cpuset::parse("4"))].name, "Core");
  EXPECT_EQ(t->objects()[t->covering(*Cpuset::parse("3-4"))].name, "Machine");
}

TEST(ImportNode, MemoryWithoutPusIsNoPlace) {
  const auto t = test_node("4memory-2p3n");
  EXPECT_EQ(shape_of(*t), "Machine(Package(NUMANode(Core Core)) Package(NUMANode(Core Core)))");
  EXPECT_EQ(t->objects()[0].note, "272GB total");  // 2 x 8 + 256
}

TEST(ImportNode, DisallowedAndOfflinePusAreNotThere) {
  const auto t = test_node("4disallowed-2p2n");  // PU 1 disallowed, PU 4 offline
  EXPECT_EQ(shape_of(*t), "Machine(Package(NUMANode(Core)) Package(NUMANode(Core Core)))");
  EXPECT_EQ(core_sets(*t), "0 2 3");
  EXPECT_EQ(t->covering(*Cpuset::parse("1")), -1);
  EXPECT_EQ(t->covering(*Cpuset::parse("4")), -1);
  EXPECT_EQ(t->covering(*Cpuset::parse("0-1")), -1);
}

TEST(ImportNode, DevicesAndMiscAreIgnored) {
  EXPECT_EQ(shape_of(*test_node("4io-2p2n")), "Machine(Package(NUMANode(Core Core)) Package(NUMANode(Core Core)))");
}

TEST(ImportNode, SyntheticOneLiners) {
  // hwloc adds a NUMA node for the whole machine if a description has none.
  EXPECT_EQ(shape_of(*import_node_synthetic("pack:2 core:2 pu:1")),
            "Machine(NUMANode(Package(Core Core) Package(Core Core)))");
  EXPECT_EQ(shape_of(*import_node_synthetic("pack:2 core:2")),
            "Machine(NUMANode(Package(Core Core) Package(Core Core)))");
  EXPECT_EQ(shape_of(*import_node_synthetic("pu:3")), "Machine(NUMANode(PU PU PU))");
  EXPECT_EQ(shape_of(*import_node_synthetic("core:1")), "Machine(NUMANode(Core))");
  EXPECT_EQ(shape_of(*import_node_synthetic("numa:2 core:2")),
            "Machine(Group0(NUMANode(Core Core)) Group0(NUMANode(Core Core)))");
  // A NUMA node of a single core is placed above the core.
  EXPECT_EQ(shape_of(*import_node_synthetic("core:2 [numa] pu:1")), "Machine(NUMANode(Core) NUMANode(Core))");
  EXPECT_EQ(shape_of(*import_node_synthetic("core:2 [numa] pu:2")),
            "Machine(NUMANode(Core(PU PU)) NUMANode(Core(PU PU)))");
}

TEST(ImportNode, ExportedXmlIsTheSameNode) {
  const std::string path = testing::TempDir() + "exported.xml";
  export_synthetic_as_xml("pack:2 l3:2 [numa] core:3", path);
  const auto a = import_node_synthetic("pack:2 l3:2 [numa] core:3"), b = import_node_xml(path);
  ASSERT_EQ(names(*a), names(*b));
  for (size_t i = 0; i < a->objects().size(); ++i) {
    EXPECT_TRUE(a->objects()[i].cpuset == b->objects()[i].cpuset);
    EXPECT_EQ(a->objects()[i].logical_index, b->objects()[i].logical_index);
    EXPECT_EQ(a->objects()[i].note, b->objects()[i].note);
  }
  EXPECT_THROW(export_synthetic_as_xml("core:2", "/nowhere/node.xml"), InputError);
}

// covering() of every subset of up to two ranges on every test machine, compared with a search of all objects. Sets
// with PUs that do not exist are included.
TEST(ImportNode, CoveringIsTheDeepestObjectThatIncludesTheSet) {
  for (const std::string& name : kNodes) {
    const auto t = test_node(name);
    const int last = 33;
    long checked = 0;
    for (int a = 0; a <= last; ++a) {
      for (int b = a; b <= last; ++b) {
        for (int extra = -1; extra <= last; ++extra) {
          Cpuset set = *Cpuset::parse(std::to_string(a) + "-" + std::to_string(b));
          if (extra >= 0) set.add(extra);
          int deepest = -1;
          for (int i = 0; i < static_cast<int>(t->objects().size()); ++i) {
            if (t->objects()[i].cpuset.includes(set)) deepest = i;  // objects that include the set form a chain
          }
          ASSERT_EQ(t->covering(set), deepest) << name << " " << set.list();
          ++checked;
        }
      }
    }
    EXPECT_EQ(checked, 34 * 35 / 2 * 35);
    EXPECT_EQ(t->covering(Cpuset()), -1);
    Cpuset all;
    hwloc_bitmap_fill(all.bitmap());
    EXPECT_EQ(t->covering(all), -1);
  }
}

// --- bad input -----------------------------------------------------------------------------------------------------

std::string write(const std::string& name, const std::string& bytes) {
  const std::string path = testing::TempDir() + name;
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

std::string read(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  if (at == std::string::npos) ADD_FAILURE() << "no '" << from << "' in the file";
  return text.replace(at, from.size(), to);
}

// The message of the InputError for a file; nothing may be printed on stderr.
std::string xml_error(const std::string& path) {
  testing::internal::CaptureStderr();
  std::string message = "no error";
  try {
    import_node_xml(path);
  } catch (const InputError& e) {
    message = e.what();
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  return message;
}

TEST(BadXml, IsRefusedInOneLineAndHwlocKeepsSilent) {
  const std::string good = read(kData + "4io-2p2n.xml");
  const std::string give = "; give an hwloc XML file, as `lstopo --of xml` writes it";
  EXPECT_EQ(xml_error("none.xml"), "none.xml: No such file or directory" + give);
  EXPECT_EQ(xml_error(kData), kData + ": is a directory" + give);
  for (const char* text : {"", "hello\n", "<html></html>", "<topologydiff version=\"2.0\"></topologydiff>"}) {
    EXPECT_THAT(xml_error(write("not.xml", text)),
                HasSubstr("not.xml: is not hwloc XML: it has no <topology> element"));
  }
  for (size_t bytes : {good.size() / 10, good.size() / 2, good.size() - 20}) {
    EXPECT_THAT(xml_error(write("cut.xml", good.substr(0, bytes))), HasSubstr("cut.xml: libhwloc cannot load it"));
  }
  EXPECT_THAT(xml_error(write("tag.xml", "<topology vers")), HasSubstr("tag.xml: libhwloc cannot load it"));
  EXPECT_THAT(xml_error(write("empty.xml", "<topology version=\"2.0\"></topology>")),
              HasSubstr("libhwloc cannot load it"));
  EXPECT_THAT(xml_error(write("type.xml", replaced(good, "\"Core\"", "\"Bore\""))),
              HasSubstr("libhwloc cannot load it"));
  EXPECT_THAT(xml_error(write("four.xml", replaced(good, "version=\"2.0\"", "version=\"4.0\""))),
              HasSubstr("four.xml: is hwloc 4 XML; write it with hwloc 2 or 3: `lstopo --of xml`"));
  EXPECT_THAT(xml_error(write("big.xml", "<topology version=\"3.0\"><object type=\"Machine\"></topology>")),
              HasSubstr("libhwloc cannot load it"));
  EXPECT_THAT(
      xml_error(write("none_allowed.xml", replaced(good, "allowed_cpuset=\"0x0000000f\"", "allowed_cpuset=\"0x0\""))),
      HasSubstr("libhwloc cannot load it"));
  EXPECT_THAT(xml_error(kData + "hwloc1.xml"),
              HasSubstr("hwloc1.xml: is hwloc 1 XML (its <topology> has no version 2); write it again with hwloc 2"));
  EXPECT_THAT(xml_error(write("one.xml", "<topology version=\"1.11\"></topology>")), HasSubstr("is hwloc 1 XML"));
}

TEST(Hwloc3, XmlIsTheSameNodeAsInHwloc2) {
  EXPECT_EQ(encode_node(*import_node_xml(kData + "hwloc3.xml")), encode_node(*test_node("32smt-2p4n16c2t")));
}

TEST(Hwloc3, OnlyTheVersionAndWhatFollowsTheObjectsChange) {
  EXPECT_EQ(as_hwloc2_xml("<topology a='1' version='3.1'><object></object> <info/></topology>", "x"),
            "<topology a='1' version='2.0'><object></object>\n</topology>\n");
  EXPECT_EQ(as_hwloc2_xml("</object><topology version='3.0'></topology>", "x"),
            "</object><topology version='2.0'></topology>");
  EXPECT_EQ(as_hwloc2_xml("<topology version='2.0'><object></object> <info/></topology>", "x"),
            "<topology version='2.0'><object></object> <info/></topology>");
}

TEST(XmlFile, IsToldByItsContent) {
  EXPECT_TRUE(is_xml_file(kData + "4io-2p2n.xml"));
  EXPECT_TRUE(is_xml_file(write("bom", "\xEF\xBB\xBF \n<topology/>")));
  EXPECT_FALSE(is_xml_file(write("merge.xml", "<<: *defaults\n")));
  EXPECT_FALSE(is_xml_file(write("yaml.xml", "schema: strata.machine/1\n")));
  EXPECT_FALSE(is_xml_file(write("empty", "")));
  EXPECT_FALSE(is_xml_file(kData));
  EXPECT_FALSE(is_xml_file("nowhere"));
}

// --- imports in a child process -------------------------------------------------------------------------------------

TEST(IsolatedImport, IsTheSameTree) {
  for (const std::string& name : kNodes) {
    const auto t = test_node(name);
    const auto again = import_isolated([&] { return test_node(name); }, name);
    EXPECT_EQ(encode_node(*again), encode_node(*t)) << name;
    EXPECT_EQ(again->cores(), t->cores()) << name;
  }
}

// The error of import_isolated for an import.
std::string isolated_error(const std::function<std::shared_ptr<const NodeTree>()>& import) {
  try {
    import_isolated(import, "node.xml");
  } catch (const InputError& e) {
    return e.what();
  }
  return "no error";
}

// An unknown attribute instead of the root's complete_nodeset makes libhwloc 2.9 dereference a null pointer.
TEST(IsolatedImport, ACrashOfLibhwlocIsBadInput) {
  const std::string path =
      write("crash.xml", replaced(read(kData + "4io-2p2n.xml"), "complete_nodeset", "xcomplete_nodeset"));
  EXPECT_EQ(isolated_error([&] { return import_node_xml(path); }),
            "node.xml: libhwloc cannot load it: it crashes: Segmentation fault; the description is damaged: write it "
            "again with `lstopo --of xml`");
}

TEST(IsolatedImport, RefusalsArriveAsTheyAre) {
  EXPECT_EQ(isolated_error([] { return import_node_xml("none.xml"); }), xml_error("none.xml"));
}

TEST(IsolatedImport, MemoryIsLimited) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "AddressSanitizer ends the process where memory runs out";
#endif
  EXPECT_EQ(
      isolated_error([]() -> std::shared_ptr<const NodeTree> {
        std::vector<std::string> hoard;
        while (true) hoard.emplace_back(1 << 26, 'x');
      }),
      "node.xml: libhwloc cannot load it: it fails: std::bad_alloc; the description is damaged: write it again with "
      "`lstopo --of xml`");
}

TEST(IsolatedImport, DamagedTextIsNoTree) {
  const std::string good = encode_node(*import_node_synthetic("pack:1 core:2 pu:1"));
  EXPECT_EQ(encode_node(*decode_node(good)), good);
  for (size_t cut = 0; cut < good.size(); ++cut) {
    EXPECT_THROW(decode_node(good.substr(0, cut)), std::runtime_error) << cut;
  }
  for (const char* text : {"x", "1", "1:", "2:1", "99999999999999999999999:1", "1:91:a", ":"}) {
    EXPECT_THROW(decode_node(text), std::runtime_error) << text;
  }
}

TEST(ImportNode, AModelThatIsNotUtf8IsNoNote) {
  const std::string good = read(kData + "4io-2p2n.xml");
  const size_t package = good.find('>', good.find("type=\"Package\"")) + 1;
  const auto with_model = [&](const std::string& model) {
    std::string xml = good;
    return write("model.xml", xml.insert(package, "<info name=\"CPUModel\" value=\"" + model + "\"/>"));
  };
  EXPECT_EQ(import_node_xml(with_model("E5"))->objects()[1].note, "E5");
  try {
    EXPECT_EQ(import_node_xml(with_model("E\xA2"))->objects()[1].note, "");
  } catch (const InputError& e) {  // if libhwloc uses libxml2
    EXPECT_THAT(e.what(), HasSubstr("libhwloc cannot load it"));
  }
}

// One PU of each core is allowed: libhwloc leaves Core(L1d(PU)), which all have the same set.
TEST(ImportNode, ACoreOfOnePuIsALeafWhateverCachesItHolds) {
  const std::string xml =
      replaced(read(kData + "8corecache-2p2c2t.xml"), "allowed_cpuset=\"0x000000ff\"", "allowed_cpuset=\"0x00000055\"");
  EXPECT_EQ(shape_of(*import_node_xml(write("one_pu.xml", xml))),
            "Machine(Package(NUMANode(Core Core)) Package(NUMANode(Core Core)))");
}

TEST(BadXml, QuotesAndCommentsAreNoFault) {
  const std::string good = read(kData + "4io-2p2n.xml");
  EXPECT_EQ(xml_error(write("quotes.xml", replaced(good, "version=\"2.0\"", "version='2.0'"))), "no error");
}

TEST(BadSynthetic, IsRefusedInOneLineAndHwlocKeepsSilent) {
  for (const char* text : {"pack", "pack:0 core:1", "pack:-1 core:2", "core:2 pack:2", "pu:2 core:2", "foo:2 core:1",
                           "core:2 core:2", "numa:2 numa:2 core:2", "pack:2( core:2", "core:99999999999", "pack:x"}) {
    testing::internal::CaptureStderr();
    std::string message;
    try {
      import_node_synthetic(text);
    } catch (const InputError& e) {
      message = e.what();
    }
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
    EXPECT_THAT(message, HasSubstr("synthetic description '" + std::string(text) + "': ")) << text;
    EXPECT_THAT(message, testing::AnyOf(HasSubstr("libhwloc does not understand it; write for example"),
                                        HasSubstr("describes no machine")));
  }
}

// --- invariants ----------------------------------------------------------------------------------------------------

NodeObject object(ObjectType type, const std::string& name, int parent, const std::string& cpuset) {
  const bool is_core = type == ObjectType::kCore;
  return {.type = type,
          .name = name,
          .parent = parent,
          .logical_index = 0,
          .os_index = 0,
          .is_core = is_core,
          .cpuset = *Cpuset::parse(cpuset),
          .cache_bytes = 0,
          .note = ""};
}

// Machine(Package(Core(PU PU)) Package(Core(PU PU)))
std::vector<NodeObject> good() {
  using enum ObjectType;
  return {object(kMachine, "Machine", -1, "0-3"),
          object(kPackage, "Package", 0, "0-1"),
          object(kCore, "Core", 1, "0-1"),
          object(kPu, "PU", 2, "0"),
          object(kPu, "PU", 2, "1"),
          object(kPackage, "Package", 0, "2-3"),
          object(kCore, "Core", 5, "2-3"),
          object(kPu, "PU", 6, "2"),
          object(kPu, "PU", 6, "3")};
}

struct Broken {
  const char* name;
  const char* message;
  void (*breaking)(std::vector<NodeObject>&);
};

void PrintTo(const Broken& b, std::ostream* out) { *out << b.name; }

class BrokenNode : public testing::TestWithParam<Broken> {};

TEST_P(BrokenNode, IsRefused) {
  std::vector<NodeObject> objects = good();
  ASSERT_EQ(NodeTree(objects).cores().size(), 2u);
  GetParam().breaking(objects);
  try {
    NodeTree tree(objects);
    FAIL() << "accepted";
  } catch (const std::logic_error& e) {
    EXPECT_EQ(std::string(e.what()), "node tree: " + std::string(GetParam().message));
  }
}

using Objects = std::vector<NodeObject>;
INSTANTIATE_TEST_SUITE_P(
    Each, BrokenNode,
    testing::Values(
        Broken{"Empty", "it has no objects", [](Objects& o) { o.clear(); }},
        Broken{"RootIsPackage", "object 0: the root is not a Machine",
               [](Objects& o) { o[0].type = ObjectType::kPackage; }},
        Broken{"RootHasParent", "object 0: the root is not a Machine", [](Objects& o) { o[0].parent = 0; }},
        Broken{"ParentAfter", "object 1: its parent does not come before it", [](Objects& o) { o[1].parent = 5; }},
        Broken{"ParentIsItself", "object 3: its parent does not come before it", [](Objects& o) { o[3].parent = 3; }},
        Broken{"NoParent", "object 5: its parent does not come before it", [](Objects& o) { o[5].parent = -1; }},
        Broken{"MachineInside", "object 1: it is no part of a node",
               [](Objects& o) { o[1].type = ObjectType::kMachine; }},
        Broken{"NetworkInside", "object 5: it is no part of a node",
               [](Objects& o) { o[5].type = ObjectType::kNetwork; }},
        Broken{"NoName", "object 4: it has no name", [](Objects& o) { o[4].name = ""; }},
        Broken{"EmptyCpuset", "object 4: its cpuset is empty or infinite", [](Objects& o) { o[4].cpuset = Cpuset(); }},
        Broken{"InfiniteCpuset", "object 0: its cpuset is empty or infinite",
               [](Objects& o) { hwloc_bitmap_fill(o[0].cpuset.bitmap()); }},
        Broken{"CpusetOutsideParent", "object 3: its cpuset is not in its parent's",
               [](Objects& o) { o[3].cpuset = *Cpuset::parse("9"); }},
        Broken{"PuOfTwo", "object 3: a PU whose cpuset is not one PU", [](Objects& o) { o[3].cpuset = o[2].cpuset; }},
        Broken{"PackageAsCore", "object 1: a core of another type", [](Objects& o) { o[1].is_core = true; }},
        Broken{"CoreThatIsNone", "object 2: a Core that is no core", [](Objects& o) { o[2].is_core = false; }},
        Broken{"CoreInsideCore", "object 3: a core inside a core", [](Objects& o) { o[3].is_core = true; }},
        Broken{"PuOutsideCore", "object 3: a PU outside any core that is no core",
               [](Objects& o) { o[2].type = ObjectType::kCache, o[2].is_core = false; }},
        Broken{"PackageInsideCore", "object 3: a Package inside a core",
               [](Objects& o) { o[3].type = ObjectType::kPackage, o[3].name = "Package"; }},
        Broken{"ChildrenOverlap", "object 2: its children overlap", [](Objects& o) { o[4].cpuset = o[3].cpuset; }},
        Broken{"ChildrenTooSmall", "object 0: its children do not make up its cpuset",
               [](Objects& o) { o[0].cpuset.add(4); }},
        Broken{"LeafCache", "object 5: a leaf that is neither core nor PU", [](Objects& o) { o.resize(6); }},
        // In the order: Machine, both Packages, the second one's Core and PUs, and only then the first one's Core and
        // PUs.
        Broken{"OutOfOrder", "object 5: it is out of depth-first order",
               [](Objects& o) {
                 o = {o[0], o[1], o[5], o[6], o[7], o[2], o[3], o[4], o[8]};
                 o.pop_back();
                 o[2].cpuset = o[3].cpuset = o[4].cpuset, o[0].cpuset = *Cpuset::parse("0-2");
                 o[2].parent = 0, o[3].parent = 2, o[4].parent = 3, o[5].parent = 1, o[6].parent = o[7].parent = 5;
               }}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace strata
