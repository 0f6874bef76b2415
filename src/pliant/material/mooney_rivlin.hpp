#pragma once

namespace pliant {

/// What a Mooney-Rivlin material takes beside its moduli, which give c10 + c01 and the bulk modulus.
struct MooneyRivlinShare {
  double c01_share = 0.2;  ///< c01 / (c10 + c01)
};

}  // namespace pliant
