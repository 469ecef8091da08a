// SPDX-License-Identifier: LGPL-2.1-only
// A Cartesian mesh of processes drawn beside itself: where each of several mappings puts the processes of each node.
//
// A cell is a position of the mesh, its colour the node that runs it; dark lines are where partners are on different
// nodes. The last dimension goes to the right, the one before down; the dimensions before these are slices side by
// side, again in pairs; one that is left over goes in lines, as text does, and so does a mesh of one dimension.
#pragma once

#include <string>
#include <vector>

namespace strata {

struct MeshPanel {
  std::string name;                // "cart": the class of the panel's group in the SVG
  std::vector<std::string> lines;  // above it, the first in bold
  std::vector<int> node_of;        // by position
  std::vector<int> rank_of;        // by position: text in the cell, if there is room
};

/// How many cells a panel has at most: the file stays within some MB.
inline constexpr int kMostCells = 65'536;

/// The part of a mesh that is drawn: as much of each dimension as keeps the cells within kMostCells, from its beginning
/// on; the longest dimension is halved (of equals the first) until it does.
std::vector<int> drawn_dims(std::vector<int> dims);

/// A whole SVG document. A node has the same colour in all panels; nodes that touch along a side have different ones,
/// and where that leaves a choice also those that touch at a corner. (With colours for all but the most tangled: of
/// nine none may be left where nodes lie in many pieces; the lines between nodes are always right.) The same input
/// gives the same bytes. O(cells).
std::string draw_meshes(const std::vector<int>& dims, const std::vector<std::string>& title,
                        const std::vector<MeshPanel>& panels);

}  // namespace strata
