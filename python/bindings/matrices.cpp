#include "matrices.hpp"

#include <algorithm>
#include <numeric>

#include "arrays.hpp"
#include "pliant/linear/merged_matrix.hpp"

namespace pliant::python {

namespace {

/// A block of the whole matrix: where it is, and whose transpose.
struct Entry {
  int column;
  Index block;
  bool transposed;
};

/// The blocks of each row of vertices.
std::vector<std::vector<Entry>> rows_of(const BlockPattern& pattern) {
  std::vector<std::vector<Entry>> rows(static_cast<size_t>(pattern.rows()));
  for (int row = 0; row < pattern.rows(); ++row) {
    Index block = pattern.row_start(row);
    const int vertex = pattern.vertex(row);
    for (const int column : pattern.columns_of(row)) {
      rows[static_cast<size_t>(vertex)].push_back({column, block, false});
      if (column != vertex) rows[static_cast<size_t>(column)].push_back({vertex, block, true});
      ++block;
    }
  }
  for (std::vector<Entry>& row : rows)
    std::sort(row.begin(), row.end(), [](const Entry& a, const Entry& b) { return a.column < b.column; });
  return rows;
}

nb::object blocks_array(const std::vector<double>& values) {
  auto* data = new double[std::max<size_t>(values.size(), 1)];
  nb::capsule owner(data, [](void* memory) noexcept { delete[] static_cast<double*>(memory); });
  std::copy(values.begin(), values.end(), data);
  return nb::cast(nb::ndarray<nb::numpy, double>(data, {values.size() / 9, 3, 3}, owner));
}

}  // namespace

nb::object to_scipy(const BlockMatrix& given) {
  MergedMatrix merged;
  const BlockMatrix& matrix = merged.of(given);
  std::vector<int> starts{0}, columns;
  std::vector<double> values;
  for (const std::vector<Entry>& row : rows_of(matrix.pattern())) {
    for (const Entry& entry : row) {
      columns.push_back(entry.column);
      const double* block = matrix.block(entry.block);
      for (int k = 0; k < 9; ++k) values.push_back(block[entry.transposed ? 3 * (k % 3) + k / 3 : k]);
    }
    starts.push_back(static_cast<int>(columns.size()));
  }
  const size_t size = 3 * static_cast<size_t>(matrix.rows());
  return nb::module_::import_("scipy.sparse")
      .attr("bsr_array")(nb::make_tuple(blocks_array(values), index_array(std::move(columns)),
                                        index_array(std::move(starts))),
                         nb::arg("shape") = nb::make_tuple(size, size));
}

}  // namespace pliant::python
