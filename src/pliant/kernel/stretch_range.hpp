#pragma once

namespace pliant {

/// Between which stretches a material is taken for a linear one (liu-2018, Eq. 7.14).
struct StretchRange {
  double first = 0.5, last = 1.5;
};

}  // namespace pliant
