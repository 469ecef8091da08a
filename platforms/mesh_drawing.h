// SPDX-License-Identifier: LGPL-2.1-only
// Draws a Cartesian mesh of processes once for each of several mappings, to show where each puts the processes of each
// node.
//
// A cell is a position of the mesh, its colour the node that runs it; dark lines separate partners on different nodes.
// The last dimension goes to the right, the one before it down. Earlier dimensions become slices side by side, again in
// pairs; a single one that is left over wraps into lines like text, and so does a mesh of one dimension.
#pragma once

#include <string>
#include <vector>

namespace strata {

struct MeshPanel {
  std::string name;                // "cart": the class of the panel's group in the SVG
  std::vector<std::string> lines;  // printed above the panel, the first in bold
  std::vector<int> node_of;        // by position
  std::vector<int> rank_of;        // by position: text in the cell, if there is room
};

/// The largest number of cells in a panel, which limits the file to some MB.
inline constexpr int kMostCells = 65'536;

/// The part of a mesh that is drawn, from its beginning: the longest dimension is halved (ties: the first) until there
/// are at most kMostCells cells.
std::vector<int> drawn_dims(std::vector<int> dims);

/// A complete SVG document. A node has the same colour in all panels. Nodes that touch along a side have different
/// colours and, if possible, also those that touch at a corner. (With nine colours none may be left where nodes consist
/// of many pieces; the lines between nodes are always right.) The same input gives the same bytes. O(cells).
std::string draw_meshes(const std::vector<int>& dims, const std::vector<std::string>& title,
                        const std::vector<MeshPanel>& panels);

}  // namespace strata
