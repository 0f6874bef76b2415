#include "pliant/linear/constant_factor.hpp"

#include <algorithm>
#include <atomic>
#include <numeric>

#include "pliant/base/parallel.hpp"
#include "pliant/linear/dense_front.hpp"
#include "pliant/linear/panel_kernel.hpp"
#include "pliant/linear/parts.hpp"

namespace pliant {

namespace {

constexpr int kBlock = 128;             ///< columns of a supernode that are solved for at once
constexpr Index kWorthThreads = 65536;  ///< numbers of a panel
constexpr Index kGroupsAtOnce = 16;
constexpr Index kColumnsAtOnce = 16;

constexpr Index groups_of(Index rows) { return (rows + kGroup - 1) / kGroup; }
constexpr Index padded(Index rows) { return kGroup * groups_of(rows); }

/// A block of columns of a supernode in memory: the inverse of its triangle on the diagonal, whose groups of
/// rows end with the last column that they have, then all rows below it, first those of the supernode itself.
struct Block {
  int first, last;     ///< columns in the supernode
  Index own_groups;    ///< below the block, of the supernode's own rows
  Index below_groups;  ///< of the other rows
  int width() const { return last - first; }
  Index groups() const { return own_groups + below_groups; }

  int triangle_width(Index group) const {
    return static_cast<int>(std::min<Index>(width(), kGroup * (group + 1)));
  }
  Index triangle_start(Index group) const { return kGroup * kGroup * group * (group + 1) / 2; }
  Index triangle_size() const { return triangle_start(groups_of(width()) - 1) + kGroup * width(); }
  Index size() const { return triangle_size() + groups() * kGroup * width(); }
};

constexpr int blocks_of(int width) { return (width + kBlock - 1) / kBlock; }

Block block_of(int width, Index below, int number) {
  const int first = number * kBlock, last = std::min(first + kBlock, width);
  return {first, last, groups_of(width - last), groups_of(below)};
}

template <class Visit>
void for_each_block(int width, Index below, Visit visit) {
  for (int number = 0; number < blocks_of(width); ++number) visit(block_of(width, below, number));
}

/// The matrix by columns in the order of elimination: rows below, and where their numbers lie.
struct Entries {
  std::vector<Index> start;
  std::vector<int> row;
  std::vector<Index> position;

  Entries(const BlockPattern& pattern, const Supernodes& nodes) : start(pattern.rows() + 1, 0) {
    const auto for_each = [&](auto visit) {
      for (int r = 0; r < pattern.rows(); ++r) {
        const std::span<const int> columns = pattern.columns_of(r);
        for (size_t k = 0; k < columns.size(); ++k) {
          const auto [low, high] = std::minmax(nodes.place_of[columns[0]], nodes.place_of[columns[k]]);
          visit(low, high, pattern.row_start(r) + static_cast<Index>(k));
        }
      }
    };
    for_each([&](int low, int, Index) { ++start[low + 1]; });
    std::partial_sum(start.begin(), start.end(), start.begin());
    row.resize(start.back());
    position.resize(start.back());
    std::vector<Index> next(start.begin(), start.end() - 1);
    for_each([&](int low, int high, Index at) {
      row[next[low]] = high;
      position[next[low]++] = at;
    });
  }
};

struct Analysis {
  explicit Analysis(const BlockPattern& pattern)
      : id(pattern.id()), nodes(pattern), parts(nodes), entries(pattern, nodes), children(nodes.count()) {
    for (int s = 0; s < nodes.count(); ++s)
      if (nodes.parent[s] >= 0) children[nodes.parent[s]].push_back(s);
    for (int s = 0; s < nodes.count(); ++s) {
      panel_start.push_back(numbers);
      for_each_block(nodes.width(s), std::ssize(nodes.rows(s)),
                     [&](const Block& block) { numbers += block.size(); });
    }
    for (const Parts::Part& part : parts.parts) {
      vector_start.push_back(vector_size);
      vector_size += 4 * Index{part.columns + part.ancestors};
    }
  }

  std::uint64_t id;
  Supernodes nodes;
  Parts parts;
  Entries entries;
  std::vector<std::vector<int>> children;
  std::vector<Index> panel_start;
  Index numbers = 0;
  std::vector<Index> vector_start;  ///< of each part, where its right-hand sides lie, row by row
  Index vector_size = 0;
};

}  // namespace

struct ConstantFactor::Data {
  virtual ~Data() = default;
  virtual bool factor(const ScalarMatrix& A) = 0;
  virtual void solve(const Vector& b, Vector& x) = 0;
};

namespace {

template <class Real>
class Factor final : public ConstantFactor::Data {
 public:
  bool factor(const ScalarMatrix& A) override;
  void solve(const Vector& b, Vector& x) override;

 private:
  bool factor_node(int s, const ScalarMatrix& A, std::vector<int>& place);
  void pack(int s, const DenseFront& front);
  void go_down(int part, const Vector& b);
  void go_up(int part, Vector& x);
  void forward(int s, Real* own, Real* local, Real* scratch) const;
  void backward(int s, Real* own, const Real* local, Real* scratch) const;

  Real* vectors(int part) { return vectors_.data() + analysis_->vector_start[part]; }
  static Triple<Real> three(Real* first, Index length) {
    return {{first, first + length, first + 2 * length}};
  }

  std::unique_ptr<Analysis> analysis_;
  LargeArray<Real> panels_;
  std::vector<Real> vectors_;
  std::vector<std::vector<double>> updates_;  ///< of supernodes, while factoring
};

/// Memory for what a thread works on, kept.
template <class Real>
Real* scratch_of(Index size) {
  thread_local std::vector<Real> memory;
  if (std::ssize(memory) < size) memory.resize(size);
  return memory.data();
}

template <class Real>
bool Factor<Real>::factor(const ScalarMatrix& A) {
  if (!analysis_ || analysis_->id != A.pattern().id()) analysis_ = std::make_unique<Analysis>(A.pattern());
  use_one_blas_thread();
  panels_.resize(analysis_->numbers);
  vectors_.resize(analysis_->vector_size);
  updates_.assign(analysis_->nodes.count(), {});
  std::atomic<bool> definite = true;
  for (const std::vector<int>& level : analysis_->parts.levels)
    parallel_tasks(std::ssize(level), [&](Index k) {
      const Parts::Part& part = analysis_->parts.parts[level[k]];
      std::vector<int> place(analysis_->nodes.order.size());
      for (int s = part.first; s <= part.last && definite; ++s)
        if (!factor_node(s, A, place)) definite = false;
    });
  updates_.clear();
  return definite;
}

template <class Real>
bool Factor<Real>::factor_node(int s, const ScalarMatrix& A, std::vector<int>& place) {
  const Supernodes& nodes = analysis_->nodes;
  const std::span<const int> rows = nodes.rows(s);
  const int width = nodes.width(s), below = static_cast<int>(rows.size());
  for (int k = 0; k < width; ++k) place[nodes.start[s] + k] = k;
  for (int k = 0; k < below; ++k) place[rows[k]] = width + k;
  DenseFront front(width, below);
  for (int k = 0; k < width; ++k) {
    const int column = nodes.start[s] + k;
    for (Index e = analysis_->entries.start[column]; e < analysis_->entries.start[column + 1]; ++e)
      front.entry(place[analysis_->entries.row[e]], k) = A[analysis_->entries.position[e]];
  }
  for (const int child : analysis_->children[s]) {
    const std::span<const int> from = nodes.rows(child);
    const std::vector<double> update = std::move(updates_[child]);
    const double* value = update.data();
    for (size_t column = 0; column < from.size(); ++column, value += from.size())
      for (size_t row = column; row < from.size(); ++row)
        front.entry(place[from[row]], place[from[column]]) += value[row];
  }
  if (!front.eliminate()) return false;
  pack(s, front);
  updates_[s] = front.take_update();
  return true;
}

template <class Real>
void Factor<Real>::pack(int s, const DenseFront& front) {
  Real* to = panels_.data() + analysis_->panel_start[s];
  const int width = front.width(), below = front.below();
  const auto put_group = [&](int columns, auto value) {
    for (int k = 0; k < columns; ++k)
      for (int lane = 0; lane < kGroup; ++lane) *to++ = static_cast<Real>(value(lane, k));
  };
  for_each_block(width, below, [&](const Block& block) {
    const std::vector<double> inverse = front.inverse(block.first, block.last);
    const int size = block.width();
    for (int row = 0; row < size; row += kGroup)
      put_group(block.triangle_width(row / kGroup), [&](int lane, int k) {
        return row + lane < size ? inverse[Index{k} * size + row + lane] : 0.0;
      });
    const auto put_rows = [&](int first, int last) {
      for (int row = first; row < last; row += kGroup)
        put_group(size, [&](int lane, int k) {
          return row + lane < last ? front.entry(row + lane, block.first + k) : 0.0;
        });
    };
    put_rows(block.last, width);
    put_rows(width, width + below);
  });
}

/// Solves with the supernode's columns and takes what that changes from the rows below. In the scratch memory
/// own rows come first, then the others, each padded to whole groups.
template <class Real>
void Factor<Real>::forward(int s, Real* own, Real* local, Real* scratch) const {
  using G = Group<Real>;
  const Supernodes& nodes = analysis_->nodes;
  const int width = nodes.width(s);
  const Index below = std::ssize(nodes.rows(s)), inside = padded(width), length = inside + padded(below);
  const Triple<Real> t = three(scratch, length), y = three(scratch + 3 * length, padded(kBlock));
  clear_last_group(t, inside);
  take_apart<Real>(
      width, [&](Index k) { return own + 4 * k; }, t);
  for_each_piece<Real>(groups_of(below), [&](int c, Index row) {
    G::store(typename G::Lanes(Real(0)), t.at[c] + inside + row);
  });
  const Real* panel = panels_.data() + analysis_->panel_start[s];
  for_each_block(width, below, [&](const Block& block) {
    const Index groups = groups_of(block.width());
    for (Index g = 0; g < groups; ++g)
      multiply_groups<Real, 1>(
          panel + block.triangle_start(g), 0, block.triangle_width(g), t + block.first,
          [&](int c, Index row, const typename G::Lanes& sum) { G::store(sum, y.at[c] + g * kGroup + row); });
    for_each_piece<Real>(
        groups, [&](int c, Index row) { G::store(G::load(y.at[c] + row), t.at[c] + block.first + row); });
    panel += block.triangle_size();
    const Triple<Real> to = t + (block.own_groups > 0 ? Index{block.last} : inside);
    const auto some = [&](Index begin, Index end) {
      subtract_product(panel + begin * kGroup * block.width(), end - begin, block.width(), y,
                       to + begin * kGroup);
    };
    if (block.groups() * kGroup * block.width() > kWorthThreads)
      parallel_chunks(block.groups(), kGroupsAtOnce, some);
    else
      some(0, block.groups());
    panel += block.groups() * kGroup * block.width();
  });
  const int* row = analysis_->parts.local_row.data() + nodes.row_start[s];
  put_together<Real>(width, t, [&](Index k, const Row<Real>& of) { store_row(of, own + 4 * k); });
  put_together<Real>(below, t + inside, [&](Index k, const Row<Real>& of) {
    Real* to = local + 4 * Index{row[k]};
    store_row<Real>(load_row(to) + of, to);
  });
}

template <class Real>
void Factor<Real>::backward(int s, Real* own, const Real* local, Real* scratch) const {
  using G = Group<Real>;
  const Supernodes& nodes = analysis_->nodes;
  const int width = nodes.width(s);
  const Index below = std::ssize(nodes.rows(s)), inside = padded(width), length = inside + padded(below);
  const Triple<Real> t = three(scratch, length), y = three(scratch + 3 * length, padded(kBlock));
  const int* row = analysis_->parts.local_row.data() + nodes.row_start[s];
  clear_last_group(t, inside);
  clear_last_group(t + inside, padded(below));
  take_apart<Real>(
      width, [&](Index k) { return own + 4 * k; }, t);
  take_apart<Real>(
      below, [&](Index k) { return local + 4 * Index{row[k]}; }, t + inside);
  const Real* end = s + 1 < nodes.count() ? panels_.data() + analysis_->panel_start[s + 1]
                                          : panels_.data() + analysis_->numbers;
  for (int number = blocks_of(width) - 1; number >= 0; --number) {
    const Block block = block_of(width, below, number);
    const Real* rows = end - block.groups() * kGroup * block.width();
    const Real* triangle = rows - block.triangle_size();
    end = triangle;
    const Index groups = groups_of(block.width());
    clear_last_group(y, groups * kGroup);
    const Triple<Real> from = t + (block.own_groups > 0 ? Index{block.last} : inside);
    const auto some = [&](Index first, Index last) {
      multiply_transposed(rows, block.groups(), block.width(), static_cast<int>(first),
                          static_cast<int>(last), from, y);
    };
    if (block.groups() * kGroup * block.width() > kWorthThreads)
      parallel_chunks(block.width(), kColumnsAtOnce, some);
    else
      some(0, block.width());
    for_each_piece<Real>(groups, [&](int c, Index at) {
      Real* place = y.at[c] + at;
      G::store(G::load(t.at[c] + block.first + at) - G::load(place), place);
    });
    for (int k = 0; k < block.width(); k += kColumns) {
      const Index first = k / kGroup;
      multiply_columns<Real>(
          groups - first, std::min(kColumns, block.width() - k),
          [&](Index g) { return triangle + block.triangle_start(first + g) + k * kGroup; },
          y + first * kGroup, t + (block.first + k));
    }
  }
  put_together<Real>(width, t, [&](Index k, const Row<Real>& of) { store_row(of, own + 4 * k); });
}

/// Memory that the two above need.
Index scratch_size(const Supernodes& nodes, const Parts::Part& part) {
  Index most = 0;
  for (int s = part.first; s <= part.last; ++s)
    most = std::max(most, padded(nodes.width(s)) + padded(std::ssize(nodes.rows(s))));
  return 3 * (most + padded(kBlock));
}

template <class Real>
void Factor<Real>::go_down(int number, const Vector& b) {
  const Supernodes& nodes = analysis_->nodes;
  const Parts::Part& part = analysis_->parts.parts[number];
  Real* local = vectors(number);
  const int first = nodes.start[part.first];
  for (Index k = 0; k < part.columns; ++k) {
    const double* from = b.data() + 3 * Index{nodes.order[first + k]};
    for (int c = 0; c < 3; ++c) local[4 * k + c] = static_cast<Real>(from[c]);
    local[4 * k + 3] = 0;
  }
  std::fill_n(local + 4 * Index{part.columns}, 4 * Index{part.ancestors}, Real(0));
  for (const int number_below : part.children) {
    const Parts::Part& child = analysis_->parts.parts[number_below];
    const Real* from = vectors(number_below) + 4 * Index{child.columns};
    for (Index k = 0; k < child.ancestors; ++k) {
      Real* to = local + 4 * Index{child.in_parent[k]};
      store_row<Real>(load_row(to) + load_row(from + 4 * k), to);
    }
  }
  Real* scratch = scratch_of<Real>(scratch_size(nodes, part));
  for (int s = part.first; s <= part.last; ++s)
    forward(s, local + 4 * Index{nodes.start[s] - first}, local, scratch);
}

template <class Real>
void Factor<Real>::go_up(int number, Vector& x) {
  const Supernodes& nodes = analysis_->nodes;
  const Parts::Part& part = analysis_->parts.parts[number];
  Real* local = vectors(number);
  const int first = nodes.start[part.first];
  if (part.parent >= 0) {
    const Real* above = vectors(part.parent);
    Real* to = local + 4 * Index{part.columns};
    for (Index k = 0; k < part.ancestors; ++k)
      store_row(load_row(above + 4 * Index{part.in_parent[k]}), to + 4 * k);
  }
  Real* scratch = scratch_of<Real>(scratch_size(nodes, part));
  for (int s = part.last; s >= part.first; --s)
    backward(s, local + 4 * Index{nodes.start[s] - first}, local, scratch);
  for (Index k = 0; k < part.columns; ++k)
    for (int c = 0; c < 3; ++c) x[3 * Index{nodes.order[first + k]} + c] = local[4 * k + c];
}

template <class Real>
void Factor<Real>::solve(const Vector& b, Vector& x) {
  x.resize(b.size());
  const auto& levels = analysis_->parts.levels;
  for (auto level = levels.begin(); level != levels.end(); ++level)
    parallel_tasks(std::ssize(*level), [&](Index k) { go_down((*level)[k], b); });
  for (auto level = levels.rbegin(); level != levels.rend(); ++level)
    parallel_tasks(std::ssize(*level), [&](Index k) { go_up((*level)[k], x); });
}

}  // namespace

ConstantFactor::ConstantFactor(Precision precision) {
  if (precision == Precision::single)
    data_ = std::make_unique<Factor<float>>();
  else
    data_ = std::make_unique<Factor<double>>();
}
ConstantFactor::~ConstantFactor() = default;
ConstantFactor::ConstantFactor(ConstantFactor&&) noexcept = default;
ConstantFactor& ConstantFactor::operator=(ConstantFactor&&) noexcept = default;

bool ConstantFactor::factor(const ScalarMatrix& A) { return data_->factor(A); }
void ConstantFactor::solve(const Vector& b, Vector& x) const { data_->solve(b, x); }

}  // namespace pliant
