#pragma once

namespace pliant {

/// What to do with negative eigenvalues of element Hessians: keep them, set them to zero, or take their
/// absolute values.
enum class Definiteness { none, clamp, abs };

}  // namespace pliant
