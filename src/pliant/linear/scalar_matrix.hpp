#pragma once

#include <span>
#include <vector>

#include "pliant/base/large_array.hpp"
#include "pliant/linear/block_matrix.hpp"

namespace pliant {

/// A sparse symmetric matrix with one number for each pair of vertices that couples: it acts on x, y and z
/// alike. Over the pattern of the blocks.
class ScalarMatrix final : public Operator {
 public:
  ScalarMatrix() = default;
  explicit ScalarMatrix(const BlockPattern& pattern) : pattern_(&pattern), values_(pattern.blocks(), 0.0) {}

  const BlockPattern& pattern() const { return *pattern_; }
  int rows() const { return pattern_->rows(); }
  void set_zero() { std::fill(values_.begin(), values_.end(), 0.0); }
  /// By the position of the block.
  double& operator[](Index position) { return values_[position]; }
  double operator[](Index position) const { return values_[position]; }
  void add_diagonal(int vertex, double value) { values_[pattern_->diagonal(vertex)] += value; }
  /// To the pair of two different vertices.
  void add_pair(int a, int b, double value) { values_[pattern_->find(a, b).block] += value; }
  void add_scaled(const ScalarMatrix& other, double factor);

  /// The vertices where `fixed` is set no longer couple with others.
  void fix_vertices(std::span<const char> fixed);

  /// y = A x for vectors of three numbers a vertex; returns x . y. In fixed chunks, so the same bits for any
  /// number of threads. Not from two threads at once, since they would share the halos.
  double multiply(const Vector& x, Vector& y) const;
  double multiply(const Field& p, Field& Ap) const override { return multiply(p.host(), Ap.host()); }
  Vector diagonal() const;
  void diagonal(std::span<double> six_a_block) const override;

 private:
  void multiply_chunk(int number, const Vector& x, Vector& y) const;

  const BlockPattern* pattern_ = nullptr;
  LargeArray<double> values_;
  mutable std::vector<double> halo_;
};

}  // namespace pliant
