#pragma once

#include <string>

namespace pliant {

/// Two tetrahedra as Gmsh and other programs write them: physical names, boundary elements, sparse tags out
/// of order, a section that no version defines.
inline const std::string kGmsh22 = R"($MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
2
2 1 "clamped side"
3 7 "jelly"
$EndPhysicalNames
$Nodes
5
10 0 0 0
1000000 1 0 0
3 0 1.0 0
12 0 0 1e0
2 1 1 +1
$EndNodes
$Elements
6
1 15 2 0 1 10
2 1 2 0 3 10 3
3 2 2 1 1 10 3 12
4 3 2 1 1 10 3 12 2
5 4 2 7 1 10 1000000 3 12
9 4 4 7 1 1 -2 2 1000000 12 3
$EndElements
$MadeUp
anything $Nodes
$EndMadeUp
)";

inline const std::string kGmsh41 = R"($Comments
written by hand
$EndComments
$MeshFormat
4.1 0 8
$EndMeshFormat
$PhysicalNames
1
3 7 "jelly"
$EndPhysicalNames
$Entities
1 0 1 1
1 0 0 0 0
1 0 0 0 1 1 0 0 0
1 0 0 0 1 1 1 1 7 1 1
$EndEntities
$Nodes
4 5 2 1000000
0 1 0 1
10
0 0 0
1 1 1 0
2 1 1 2
1000000
3
1 0 0 0.5 0.25
0 1 0 0.25 0.75
3 1 0 2
12
2
0 0 1
1 1 1
$EndNodes
$Elements
3 4 1 9
0 1 15 1
1 10
2 1 2 1
3 10 3 12
3 1 4 2
5 10 1000000 3 12
9 2 1000000 12 3
$EndElements
)";

}  // namespace pliant
