#pragma once

#include <span>
#include <utility>
#include <vector>

#include "pliant/base/large_array.hpp"
#include "pliant/base/types.hpp"
#include "pliant/linear/operator.hpp"

namespace pliant {

/// Which 3x3 blocks of a symmetric n x n block matrix are stored: the diagonal and one block of each pair
/// that couples, in rows. Rows may follow any order of the vertices; neighbours in space should be neighbours
/// there. A row begins with the block of its own vertex; the others couple it with vertices of later rows, in
/// the order of rows.
///
/// For products the rows are taken in chunks of fixed length. What a chunk touches, its own vertices and a
/// halo of others, is numbered locally, so that a product runs on a small piece of memory.
class BlockPattern {
 public:
  static constexpr int kRowsAtOnce = 1024;

  BlockPattern() = default;
  /// `edges` are the pairs of vertices that couple; order, duplicates and transposes do not matter. `points`
  /// says where the vertices lie at rest: rows follow a curve through them. Without it they follow their
  /// numbers.
  BlockPattern(int rows, std::span<const std::pair<int, int>> edges, std::vector<Vec3> points = {});

  /// Different for every pattern ever built, so that what was analysed once can be recognised.
  std::uint64_t id() const { return id_; }
  int rows() const { return static_cast<int>(order_.size()); }
  const std::vector<Vec3>& points() const { return points_; }
  Index blocks() const { return std::ssize(columns_); }

  int vertex(int row) const { return order_[row]; }
  int row_of(int vertex) const { return row_of_[vertex]; }
  Index row_start(int row) const { return row_start_[row]; }
  /// The vertices that a row has blocks with, its own first.
  std::span<const int> columns_of(int row) const {
    return {columns_.data() + row_start_[row], columns_.data() + row_start_[row + 1]};
  }
  Index diagonal(int vertex) const { return row_start_[row_of_[vertex]]; }

  /// Where the block of a pair lies. The one stored couples the vertex of the earlier row with that of the
  /// later; it is `transposed` where a comes later than b. The pair must be present.
  struct Place {
    Index block;
    bool transposed;
  };
  Place find(int a, int b) const;
  bool contains(int a, int b) const;

  /// What products run on.
  struct Chunk {
    int first_row, last_row;    ///< [first, last)
    Index halo_start;           ///< among all halos
    std::span<const int> halo;  ///< vertices touched besides the chunk's own
    std::span<const int>
        local_columns;  ///< of its blocks: row in the chunk, or its length + place in the halo
  };
  int chunks() const { return static_cast<int>(halo_start_.size()) - 1; }
  Chunk chunk(int number) const;
  Index halo_size() const { return std::ssize(halo_); }
  /// A vertex that halos hold: what lies there is added to it, in this order.
  struct Receiver {
    int vertex;
    std::span<const Index> places;
  };
  Index receivers() const { return std::ssize(receivers_); }
  Receiver receiver(Index number) const {
    return {receivers_[number],
            {places_.data() + place_start_[number], places_.data() + place_start_[number + 1]}};
  }

 private:
  void build_rows(std::span<const std::pair<int, int>> edges);
  void build_chunks();
  void build_receivers();

  std::uint64_t id_ = 0;
  std::vector<Vec3> points_;
  std::vector<int> order_, row_of_;
  std::vector<Index> row_start_{0};
  LargeArray<int> columns_, local_columns_;
  std::vector<Index> halo_start_{0};
  std::vector<int> halo_, receivers_;
  std::vector<Index> place_start_, places_;
};

/// A vertex that may only move in some directions: `free` projects onto them.
struct Restriction {
  int vertex = 0;
  Mat3 free = Mat3::Identity();
};

/// A block of a pair of vertices that the pattern has none for: bodies that touch.
struct ExtraBlock {
  int a = 0, b = 0;
  Mat3 values = Mat3::Zero();
};

/// A sparse symmetric matrix of 3x3 blocks over a fixed pattern; each block is stored row by row. Values are
/// refilled, the pattern is shared and never changes. Half the blocks of the full matrix, since a product is
/// as fast as memory is. Vectors are in the order of vertices.
///
/// What touches couples pairs that no pattern knows beforehand: such blocks follow in a list of their own.
class BlockMatrix final : public Operator {
 public:
  BlockMatrix() = default;
  explicit BlockMatrix(const BlockPattern& pattern);

  const BlockPattern& pattern() const { return *pattern_; }
  int rows() const { return pattern_->rows(); }
  void set_zero();
  double* block(Index position) { return values_.data() + 9 * position; }
  const double* block(Index position) const { return values_.data() + 9 * position; }

  /// Adds to the block that couples two different vertices, and to its transpose.
  void add_block(int a, int b, const Mat3& values);
  void add_diagonal_block(int vertex, const Mat3& values);
  /// Blocks outside of the pattern, in the order in which they were added; a pair may occur more than once.
  std::span<const ExtraBlock> extra_blocks() const { return extra_; }

  /// y = A x; returns x . y. In fixed chunks, so the same bits for any number of threads. Not from two
  /// threads at once, since they would share the halos.
  double multiply(const Vector& x, Vector& y) const;
  double multiply(const Field& p, Field& Ap) const override { return multiply(p.host(), Ap.host()); }
  void diagonal(std::span<double> six_a_block) const override;
  const BlockMatrix* assembled() const override { return this; }

  /// this += factor * other; both must share one pattern.
  void add_scaled(const BlockMatrix& other, double factor);

  /// this *= factor.
  void scale(double factor);

  /// Adds `diagonal[i]` to entry (i, i).
  void add_diagonal(const Vector& diagonal);
  /// Adds one number to all of them.
  void add_diagonal(double value) { add_diagonal(Vector::Constant(3 * Index{rows()}, value)); }

  /// The sum of the diagonal entries.
  double trace() const;

  /// Rows and columns of the dofs where `fixed` is set become those of the identity.
  void fix_dofs(const std::vector<char>& fixed);

  /// Vertices lose the directions in which they may not move: A becomes T A T, with `diagonal` in the
  /// directions lost so that it stays definite. Kept with the matrix until it is set to zero.
  void restrict_vertices(std::vector<Restriction> restrictions, const Vector& diagonal);
  std::span<const Restriction> restrictions() const { return restrictions_; }

 private:
  const BlockPattern* pattern_ = nullptr;
  LargeArray<double> values_;         ///< one more than the blocks need: products load four at a time
  mutable std::vector<double> halo_;  ///< what chunks found for vertices of others, three a vertex
  std::vector<ExtraBlock> extra_;
  std::vector<Restriction> restrictions_;
  std::vector<int> restriction_of_;  ///< of a vertex, -1 where there is none; empty before the first
};

}  // namespace pliant
