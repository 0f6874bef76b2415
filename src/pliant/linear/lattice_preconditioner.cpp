#include "pliant/linear/lattice_preconditioner.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "pliant/base/parallel.hpp"
#include "pliant/linear/four_kernel.hpp"

namespace pliant {

namespace {

constexpr int kNodesOfRoot = 40;  // and no more are solved directly
constexpr Index kNodesOfGather = 64;
constexpr Index kVerticesOfCorrection = 1024;

/// Sum of weights times four numbers each.
Four<float> interpolate(const Interpolation& weights, Index row, const NodeVector& from) {
  Four<float> sum{};
  for (int k = weights.start[row]; k < weights.start[row + 1]; ++k)
    sum += weights.weight[k] * load_four(&from[4 * Index{weights.node[k]}]);
  return sum;
}

bool small_enough(const Lattice& lattice) {
  const std::vector<int> starts = lattice.part_starts();
  return std::adjacent_find(starts.begin(), starts.end(),
                            [](int a, int b) { return b - a > kNodesOfRoot; }) == starts.end();
}

}  // namespace

LatticePreconditioner::Level::Level(const BlockPattern& fine, Lattice from)
    : lattice(std::move(from)),
      down(lattice.weights.transposed(nodes())),
      product(fine, lattice.weights, nodes()),
      matrix(product.pattern()),
      r(4 * Index{nodes()}),
      z(r.size()),
      q(r.size()) {}

void LatticePreconditioner::build(const BlockPattern& pattern) {
  built_for_ = pattern.id();
  levels_.clear();
  roots_.clear();
  Lattice first = lattice_over(pattern);
  if (first.nodes.empty()) return;
  levels_.push_back(std::make_unique<Level>(pattern, std::move(first)));
  while (!small_enough(levels_.back()->lattice)) {
    const Level& fine = *levels_.back();
    levels_.push_back(std::make_unique<Level>(fine.matrix.pattern(), coarser_lattice(fine.lattice)));
  }
  const std::vector<int> starts = levels_.back()->lattice.part_starts();
  for (size_t k = 0; k + 1 < starts.size(); ++k) roots_.emplace_back(starts[k], starts[k + 1]);
}

void LatticePreconditioner::assign(const BlockMatrix& matrix, const BlockJacobi& jacobi,
                                   std::span<const char> fixed) {
  if (built_for_ != matrix.pattern().id()) build(matrix.pattern());
  jacobi_ = &jacobi;
  if (levels_.empty()) return;
  restrictions_.assign(matrix.restrictions().begin(), matrix.restrictions().end());
  fixed_.assign(fixed.begin(), fixed.end());
  fixed_.resize(3 * Index{matrix.rows()}, 0);
  simple_.resize(matrix.rows());
  for (Index v = 0; v < matrix.rows(); ++v)
    simple_[v] = v + 1 < matrix.rows() && !fixed_[3 * v] && !fixed_[3 * v + 1] && !fixed_[3 * v + 2];
  for (size_t number = 0; number < levels_.size(); ++number) {
    Level& level = *levels_[number];
    if (number == 0) {
      level.product.compute(matrix.pattern(), level.lattice.weights, matrix.block(0), fixed_.data(),
                            level.matrix.values());
    } else {
      const LatticeMatrix& fine = levels_[number - 1]->matrix;
      level.product.compute(fine.pattern(), level.lattice.weights, fine.values().data(), nullptr,
                            level.matrix.values());
    }
    level.matrix.prepare();
  }
  for (Root& root : roots_) factor_root(root);
}

void LatticePreconditioner::factor_root(Root& root) const {
  const LatticeMatrix& matrix = levels_.back()->matrix;
  root.factor.set_zero();
  for (int node = root.first; node < root.last; ++node) {
    const float* b = &matrix.values()[9 * matrix.pattern().row_start(node)];
    for (const int column : matrix.pattern().columns_of(node)) {
      for (int e = 0; e < 9; ++e) {
        const int row = 3 * (column - root.first) + e % 3, across = 3 * (node - root.first) + e / 3;
        if (row >= across) root.factor.entry(row, across) = b[e];
      }
      b += 9;
    }
  }
  for (int k = 0; k < 3 * (root.last - root.first); ++k) {
    // More than single precision has lost; and where all dofs are fixed, anything.
    constexpr double kLift = 1e-5;
    double& entry = root.factor.entry(k, k);
    entry = entry == 0 ? 1.0 : entry + kLift * std::abs(entry);
  }
  root.definite = root.factor.factor();
}

void LatticePreconditioner::solve_root(const Root& root) const {
  const Level& level = *levels_.back();
  if (!root.definite) return level.matrix.divide(root.first, root.last, level.r, level.z);
  for (Index node = 0; node < root.last - root.first; ++node)
    for (int k = 0; k < 3; ++k) root.b[3 * node + k] = level.r[4 * (root.first + node) + k];
  root.factor.solve(root.b);
  for (Index node = 0; node < root.last - root.first; ++node)
    for (int k = 0; k < 3; ++k)
      level.z[4 * (root.first + node) + k] = static_cast<float>(root.b[3 * node + k]);
}

/// z = V r at a level: smooth, correct by what the coarser levels say, smooth the other way round.
void LatticePreconditioner::cycle(size_t number) const {
  const Level& level = *levels_[number];
  if (number + 1 == levels_.size()) {
    parallel_chunks(std::ssize(roots_), 1, [&](Index root, Index) { solve_root(roots_[root]); });
    return;
  }
  const Level& coarse = *levels_[number + 1];
  level.matrix.smooth_forward(level.r, level.z);
  level.matrix.residual(level.r, level.z, level.q);
  parallel_chunks(coarse.nodes(), kNodesOfGather, [&](Index begin, Index end) {
    for (Index node = begin; node < end; ++node)
      store_four(interpolate(coarse.down, node, level.q), &coarse.r[4 * node]);
  });
  cycle(number + 1);
  parallel_chunks(level.nodes(), kVerticesOfCorrection, [&](Index begin, Index end) {
    for (Index node = begin; node < end; ++node)
      store_four(load_four(&level.z[4 * node]) + interpolate(coarse.lattice.weights, node, coarse.z),
                 &level.z[4 * node]);
  });
  level.matrix.residual(level.r, level.z, level.q);
  level.matrix.smooth_backward(level.q, level.z);
}

/// P^T r
void LatticePreconditioner::gather_residual(const Vector& r) const {
  const Level& level = *levels_.front();
  parallel_chunks(level.nodes(), kNodesOfGather, [&](Index begin, Index end) {
    for (Index node = begin; node < end; ++node) {
      Four<double> sum{};
      for (int k = level.down.start[node]; k < level.down.start[node + 1]; ++k) {
        const double weight = level.down.weight[k];
        const Index vertex = level.down.node[k], dof = 3 * vertex;
        if (simple_[vertex]) {
          sum += weight * load_four(&r[dof]);
        } else {
          for (int c = 0; c < 3; ++c) sum[c] += fixed_[dof + c] ? 0.0 : weight * r[dof + c];
        }
      }
      sum[3] = 0;
      store_four(__builtin_convertvector(sum, Four<float>), &level.r[4 * node]);
    }
  });
}

/// z += P e for e = V P^T r
void LatticePreconditioner::add_correction(Vector& z) const {
  const Level& level = *levels_.front();
  parallel_chunks(z.size() / 3, kVerticesOfCorrection, [&](Index begin, Index end) {
    for (Index v = begin; v < end; ++v) {
      const Four<float> e = interpolate(level.lattice.weights, v, level.z);
      for (int c = 0; c < 3; ++c)
        if (simple_[v] || !fixed_[3 * v + c]) z[3 * v + c] += static_cast<double>(e[c]);
    }
  });
  // r has no part in directions that are lost, so that r . P e is the same with or without this.
  for (const Restriction& restriction : restrictions_) {
    const Index dof = 3 * Index{restriction.vertex};
    z.segment<3>(dof) = (restriction.free * z.segment<3>(dof)).eval();
  }
}

/// r . P e
double LatticePreconditioner::correction_product() const {
  const Level& level = *levels_.front();
  return parallel_sum(level.nodes(), kVerticesOfCorrection, [&](Index begin, Index end) {
    double sum = 0;
    for (Index k = 4 * begin; k < 4 * end; ++k) sum += double{level.r[k]} * double{level.z[k]};
    return sum;
  });
}

Preconditioner::Sizes LatticePreconditioner::precondition(const Field& r, Field& z) const {
  const double squared = jacobi_->solve(r, z);
  if (levels_.empty()) return {squared, squared};
  gather_residual(r.host());
  cycle(0);
  const double product = correction_product();
  // Positive but for roundoff, and finite unless single precision does not reach as far as the matrix.
  if (!(product >= 0 && product < std::numeric_limits<double>::infinity())) return {squared, squared};
  add_correction(z.host());
  return {squared + product, squared};
}

std::vector<int> LatticePreconditioner::nodes() const {
  std::vector<int> counts;
  for (const auto& level : levels_) counts.push_back(level->nodes());
  return counts;
}

}  // namespace pliant
