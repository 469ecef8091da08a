#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only
# Creates the node descriptions in this folder with the tools of hwloc 2.9.0: this script is their provenance. Each has
# NAME.xml, lstopo's output for it (NAME.lstopo), and tests that use it. Run this script in its folder after a change.
set -euo pipefail
export LC_ALL=C
rm -f hwloc1.xml hwloc3.xml  # created at the end

synthetic() { lstopo-no-graphics -i "$2" --of xml -f "$1.xml"; }

# 2 packages, 4 NUMA nodes, 16 cores of 2 PUs each.
synthetic 32smt-2p4n16c2t \
  "pack:2 l3:2(size=16777216) [numa(memory=17179869184)] l2:4(size=1048576) l1d:1(size=32768) core:1 pu:2"
# Like Knights Landing in flat quadrant mode: DDR and MCDRAM are two NUMA nodes with the same cores.
synthetic 32knl-2n8c4t \
  "[numa(memory=103079215104)] [numa(memory=17179869184)] l2:4(size=1048576) l1d:2(size=32768) core:1 pu:4"
# PUs outside any core.
synthetic 8nocore-2p2n "pack:2 [numa(memory=8589934592)] l2:2(size=1048576) pu:2"
# Cores above the L1 caches of their PUs, as hwloc finds them on some virtual machines (CPUID leaf 1F).
synthetic 8corecache-2p2c2t "pack:2 [numa(memory=8589934592)] core:2 l1d:2(size=32768) pu:1"
# Groups of groups of packages.
synthetic 16groups-2g2g2p2c "group:2 group:2 pack:2 [numa(memory=8589934592)] core:2 pu:1"
# A NUMA node for the whole machine, and one in each package.
synthetic 4nested-2p3n "[numa(memory=68719476736)] pack:2 [numa(memory=8589934592)] core:2 pu:1"
# Packages of 4 cores and 1 core: the others are removed.
lstopo-no-graphics -i "pack:2 [numa(memory=8589934592)] l3:1(size=8388608) core:4 pu:1" --restrict 0x1f \
  --of xml -f 5asymmetric-2p2n5c.xml

base="pack:2 [numa(memory=8589934592)] core:2 pu:1"
# A third NUMA node, with memory but without PUs (hwloc attaches it to the machine).
synthetic 4memory-2p3n "$base"
sed -i -e '/type="Machine"/s/nodeset="0x00000003"/nodeset="0x00000007"/g' \
  -e '0,/<object type="Package"/s||<object type="NUMANode" os_index="2" cpuset="0x0" complete_cpuset="0x0" nodeset="0x00000004" complete_nodeset="0x00000004" gp_index="90" local_memory="274877906944"/>\n    &|' \
  4memory-2p3n.xml
# PU 1 is not allowed for this process; PU 4, of a third package, is offline.
synthetic 4disallowed-2p2n "$base"
sed -i -e '/type="Machine"/s/allowed_cpuset="0x0000000f"/allowed_cpuset="0x0000000d"/' \
  -e '/type="Machine"/s/complete_cpuset="0x0000000f"/complete_cpuset="0x0000001f"/' 4disallowed-2p2n.xml
# A network card, and a comment by the administrator (Misc).
synthetic 4io-2p2n "$base"
sed -i -e 's|^  </object>$|    <object type="Bridge" gp_index="91" bridge_type="0-1" depth="0" bridge_pci="0000:[00-02]">\n      <object type="PCIDev" gp_index="92" pci_busid="0000:02:00.0" pci_type="0200 [8086:1521] [8086:1521] 01" pci_link_speed="0.000000">\n        <object type="OSDev" gp_index="93" name="eth0" osdev_type="2"/>\n      </object>\n    </object>\n    <object type="Misc" gp_index="94" name="rack 7"/>\n&|' 4io-2p2n.xml

for xml in *.xml; do
  lstopo-no-graphics -i "$xml" --of console --no-io --no-icaches --filter misc:none > "${xml%.xml}.lstopo"
done

# The format of hwloc 1, which must be refused.
lstopo-no-graphics -i "$base" --of xml --export-xml-flags 1 -f hwloc1.xml

# The format of hwloc 3, with attributes and elements that hwloc 2 does not know. Made by hand, because hwloc 2 cannot
# write it.
sed -e 's/version="2.0"/version="3.0"/' -e 's/gp_index="\([0-9]*\)"/id="obj\1"/' \
  -e 's/cache_type="1"/cache_type="1" cache_inclusive="0"/' \
  -e 's|^</topology>|  <info name="OSName" value="Linux"/>\n  <memtier index="0" nodeset="0x00000003"/>\n&|' \
  32smt-2p4n16c2t.xml > hwloc3.xml
