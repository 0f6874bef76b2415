#include "pliant/mesh_file/append_bytes.hpp"

#include <cmath>

#include "pliant/base/error.hpp"
#include "pliant/base/text.hpp"

namespace pliant {

float to_single_precision(double value, std::string_view format_name) {
  const float nearest = static_cast<float>(value);
  if (!std::isfinite(nearest)) {
    throw InputError(format("{} does not fit into the single precision of a {} file; write a .ply or .obj",
                            value, format_name));
  }
  return nearest;
}

}  // namespace pliant
