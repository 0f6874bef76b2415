#include "pliant/minimize/walls.hpp"

#include <algorithm>
#include <cmath>

namespace pliant {

int Walls::stages() {
  const double softness = stiffening_ ? stiffening_->softness() : 1;
  return std::clamp(static_cast<int>(std::ceil(std::log10(softness) / std::log10(constants_.fall))), 0,
                    constants_.most_stages);
}

void Walls::stiffen_for(int left) {
  if (stiffening_) stiffening_->stiffen(std::pow(constants_.fall, left));
}

}  // namespace pliant
