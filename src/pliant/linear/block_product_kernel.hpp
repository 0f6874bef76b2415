#pragma once

#include <algorithm>
#include <vector>

#include "pliant/base/lanes.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/linear/block_matrix.hpp"
#include "pliant/linear/four_kernel.hpp"

namespace pliant {

/// The rows of a chunk, whose part for the chunk's own vertices goes to y and the rest to its halo; returns
/// the part of x . A x that its blocks make. Blocks may be in single precision; all else is in double.
template <class Value>
double multiply_chunk(const BlockPattern& pattern, const BlockPattern::Chunk& chunk, const Value* values,
                      const double* x, double* y, double* halo) {
  /// How far ahead blocks are asked for from memory: a row is too short for the processor to see it coming.
  constexpr Index kAhead = 1024 * sizeof(double) / sizeof(Value);
  const int own = chunk.last_row - chunk.first_row;
  const int size = own + static_cast<int>(chunk.halo.size());
  // Local copies of x and y, four numbers a vertex, of which the last is zero in x.
  thread_local std::vector<double> memory;
  memory.resize(8 * Index{size});
  double* local_x = memory.data();
  double* local_y = memory.data() + 4 * Index{size};
  const auto vertex = [&](int place) {
    return Index{place < own ? pattern.vertex(chunk.first_row + place) : chunk.halo[place - own]};
  };
  for (int place = 0; place < size; ++place) {
    const double* from = x + 3 * vertex(place);
    for (int k = 0; k < 3; ++k) local_x[4 * Index{place} + k] = from[k];  // std::copy_n calls a function
    local_x[4 * Index{place} + 3] = 0;
  }
  std::fill(local_y, local_y + 4 * Index{size}, 0.0);

  const Value* b = values + 9 * pattern.row_start(chunk.first_row);
  const int* column = chunk.local_columns.data();
  for (int i = 0; i < own; ++i) {
    // y_i += B x_j and y_j += B^T x_i, the former kept as products of rows until the row is done.
    const Four<double> x_i = load_four(local_x + 4 * Index{i});
    const double x0 = x_i[0], x1 = x_i[1], x2 = x_i[2];
    Four<double> row0 = load_double(b) * x_i, row1 = load_double(b + 3) * x_i,
                 row2 = load_double(b + 6) * x_i;
    b += 9;
    const int* end =
        column + (pattern.row_start(chunk.first_row + i + 1) - pattern.row_start(chunk.first_row + i));
    for (++column; column < end; ++column, b += 9) {
      __builtin_prefetch(b + kAhead);
      const Four<double> b0 = load_double(b), b1 = load_double(b + 3), b2 = load_double(b + 6);
      const Four<double> x_j = load_four(local_x + 4 * Index{*column});
      double* y_j = local_y + 4 * Index{*column};
      row0 += b0 * x_j;
      row1 += b1 * x_j;
      row2 += b2 * x_j;
      store_four(load_four(y_j) + ((b0 * x0 + b1 * x1) + b2 * x2), y_j);
    }
    double* y_i = local_y + 4 * Index{i};
    y_i[0] += sum_of_three(row0);
    y_i[1] += sum_of_three(row1);
    y_i[2] += sum_of_three(row2);
  }

  for (int place = 0; place < size; ++place) {
    const double* y_here = local_y + 4 * Index{place};
    double* to = place < own ? y + 3 * vertex(place) : halo + 3 * (chunk.halo_start + place - own);
    for (int k = 0; k < 3; ++k) to[k] = y_here[k];
  }
  LaneSum product;
  product.add(0, 4 * Index{size}, [local_x, local_y](Index i) { return local_x[i] * local_y[i]; });
  return sum_of_three(load_four(product.folded(4)));
}

/// y = A x; returns x . y. `halo` holds what chunks found for vertices of others, three numbers a vertex.
template <class Value>
double block_product(const BlockPattern& pattern, const Value* values, const Vector& x, Vector& y,
                     std::vector<double>& halo) {
  constexpr Index kReceiversAtOnce = 4096;
  y.resize(x.size());
  const double product = parallel_sum(pattern.chunks(), 1, [&](Index number, Index) {
    return multiply_chunk(pattern, pattern.chunk(static_cast<int>(number)), values, x.data(), y.data(),
                          halo.data());
  });
  parallel_chunks(pattern.receivers(), kReceiversAtOnce, [&](Index begin, Index end) {
    for (Index number = begin; number < end; ++number) {
      const auto [vertex, places] = pattern.receiver(number);
      for (const Index place : places)
        for (int k = 0; k < 3; ++k) y[3 * Index{vertex} + k] += halo[3 * place + k];
    }
  });
  return product;
}

}  // namespace pliant
