#include "pliant/potential/gravity.hpp"

#include <algorithm>

#include "pliant/base/parallel.hpp"

namespace pliant {

namespace {

constexpr Index kVertices = 1024;  ///< at once

void run_weights(const void*, const StencilBatch& batch) {
  for (Index i = 0; i < batch.count; ++i) {
    const double mass = batch.rest[4 * i] * (batch.scale ? batch.scale[i] : 1);
    const double *g = batch.rest + 4 * i + 1, *x = batch.x + 3 * i;
    if (batch.energy) batch.energy[i] = -mass * (g[0] * x[0] + g[1] * x[1] + g[2] * x[2]);
    if (batch.gradient)
      for (int k = 0; k < 3; ++k) batch.gradient[3 * i + k] = 0 - mass * g[k];
  }
  if (batch.blocks) std::fill_n(batch.blocks, 9 * batch.count, 0.0);
}

constexpr StencilKind kWeight{"weight", 1, 4, nullptr, &run_weights};

}  // namespace

const StencilKind& Gravity::kind() const { return kWeight; }

void Gravity::copy_stencil(Index stencil, int* vertices, double* rest) const {
  vertices[0] = static_cast<int>(stencil);
  rest[0] = mass_[stencil];
  for (int k = 0; k < 3; ++k) rest[1 + k] = g_[k];
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

std::unique_ptr<Potential> Gravity::sub_model(const SubModel& sub_model) const {
  Vector mass(std::ssize(sub_model.vertices));
  for (Index i = 0; i < mass.size(); ++i) mass[i] = mass_[sub_model.vertices[i]];
  return std::make_unique<Gravity>(std::move(mass), g_);
}

}  // namespace pliant
