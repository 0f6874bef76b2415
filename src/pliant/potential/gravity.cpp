#include "pliant/potential/gravity.hpp"

#include "pliant/base/parallel.hpp"

namespace pliant {

namespace {
constexpr Index kVertices = 1024;  ///< at once
}

void Gravity::evaluate(const Vector& x, std::span<double> energies, Vector* gradient) const {
  const double *mass = mass_.data(), *from = x.data();
  double *to = energies.data(), *forces = gradient ? gradient->data() : nullptr;
  const double g[3] = {g_[0], g_[1], g_[2]};
  parallel_chunks(mass_.size(), kVertices, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i)
      to[i] = -mass[i] * (g[0] * from[3 * i] + g[1] * from[3 * i + 1] + g[2] * from[3 * i + 2]);
    for (Index i = begin; forces && i < end; ++i)
      for (int k = 0; k < 3; ++k) forces[3 * i + k] -= mass[i] * g[k];
  });
}

std::unique_ptr<Potential> Gravity::piece(const Piece& piece) const {
  Vector mass(std::ssize(piece.vertices));
  for (Index i = 0; i < mass.size(); ++i) mass[i] = mass_[piece.vertices[i]];
  return std::make_unique<Gravity>(std::move(mass), g_);
}

}  // namespace pliant
