#include "pliant/potential/gravity.hpp"

#include "pliant/base/parallel.hpp"

namespace pliant {

void Gravity::evaluate(const Vector& x, std::span<double> energies, Vector* gradient) const {
  parallel_chunks(mass_.size(), 4096, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      energies[i] = -mass_[i] * (g_[0] * x[3 * i] + g_[1] * x[3 * i + 1] + g_[2] * x[3 * i + 2]);
      if (gradient)
        for (int k = 0; k < 3; ++k) (*gradient)[3 * i + k] -= mass_[i] * g_[k];
    }
  });
}

std::unique_ptr<Potential> Gravity::piece(const Piece& piece) const {
  Vector mass(std::ssize(piece.vertices));
  for (Index i = 0; i < mass.size(); ++i) mass[i] = mass_[piece.vertices[i]];
  return std::make_unique<Gravity>(std::move(mass), g_);
}

}  // namespace pliant
