#include "python_objective.hpp"

#include <algorithm>
#include <cmath>

#include "arrays.hpp"
#include "pliant/base/text.hpp"

namespace pliant::python {

namespace {

/// The entries of a matrix, of scipy.sparse or dense.
struct Entries {
  nb::ndarray<const std::int64_t, nb::c_contig, nb::device::cpu> rows, columns;
  nb::ndarray<const double, nb::c_contig, nb::device::cpu> values;
};

Entries entries_of(nb::handle matrix, Index numbers) {
  nb::object rows, columns, values;
  nb::object whole = nb::borrow(matrix);
  if (!nb::hasattr(whole, "tocoo")) whole = nb::module_::import_("numpy").attr("asarray")(whole);
  const nb::tuple shape = nb::cast<nb::tuple>(whole.attr("shape"));
  if (nb::len(shape) != 2 || nb::cast<Index>(shape[0]) != numbers || nb::cast<Index>(shape[1]) != numbers)
    throw nb::value_error(format("hess must return a matrix of {} x {}", numbers, numbers).c_str());
  if (nb::hasattr(whole, "tocoo")) {
    const nb::object coo = whole.attr("tocoo")();
    rows = coo.attr("row");
    columns = coo.attr("col");
    values = coo.attr("data");
  } else {
    const nb::tuple found = nb::cast<nb::tuple>(whole.attr("nonzero")());
    rows = found[0];
    columns = found[1];
    values = whole[found];
  }
  return {integers(rows), integers(columns), doubles(values)};
}

}  // namespace

PythonObjective::PythonObjective(Functions functions, Index numbers, std::vector<char> held)
    : functions_(std::move(functions)),
      numbers_(numbers),
      layout_(make_layout((numbers + 2) / 3)),
      held_(std::move(held)),
      metric_(Vector::Ones(layout_.size())) {
  if (layout_.size() == numbers && held_.empty()) return;
  held_.resize(static_cast<size_t>(numbers), 0);
  held_.resize(static_cast<size_t>(layout_.size()), 1);
}

Field PythonObjective::padded(const Vector& x) const {
  Vector all = Vector::Zero(layout_.size());
  all.head(numbers_) = x;
  return Field(std::move(all));
}

nb::object PythonObjective::in_python(const Field& x) const {
  const double* from = x.host().data();
  return numbers_array({from, from + numbers_}).attr("reshape")(functions_.shape);
}

Change PythonObjective::evaluate(const Field& x, Field* gradient, double) {
  const nb::object answer = functions_.value(in_python(x));
  if (!nb::isinstance<nb::tuple>(answer) || nb::len(answer) != 2)
    throw nb::type_error("fun must return a tuple: the value and the gradient");
  last_ = nb::cast<double>(answer[0].attr("__float__")());
  if (gradient) {
    const auto found = doubles(answer[1]);
    if (static_cast<Index>(found.size()) != numbers_)
      throw nb::value_error(
          format("fun returns a gradient of {} numbers for {}", found.size(), numbers_).c_str());
    *gradient = padded(Eigen::Map<const Vector>(found.data(), numbers_));
    clear_where(held_, *gradient);
  }
  const bool is_number = !std::isnan(last_);
  return {is_number ? last_ - reference_ : std::numeric_limits<double>::infinity(), is_number ? noise() : 0};
}

double PythonObjective::set_reference() {
  reference_ = last_;
  return noise();
}

/// A pattern that has these blocks and all that were there before.
void PythonObjective::make_room(const std::vector<std::pair<int, int>>& pairs) {
  const auto is_there = [&](const auto& pair) { return pattern_->contains(pair.first, pair.second); };
  if (pattern_ && std::all_of(pairs.begin(), pairs.end(), is_there)) return;
  std::vector<std::pair<int, int>> all = pairs;
  for (int row = 0; pattern_ && row < pattern_->rows(); ++row)
    for (const int column : pattern_->columns_of(row)) all.emplace_back(pattern_->vertex(row), column);
  pattern_ = std::make_unique<BlockPattern>(static_cast<int>(layout_.blocks), all);
  matrix_ = BlockMatrix(*pattern_);
}

const Operator& PythonObjective::hessian(const Field& x, Definiteness) {
  if (functions_.hessian.is_none()) throw nb::value_error("this method needs hess; give it, or take lbfgs");
  const Entries entries = entries_of(functions_.hessian(in_python(x)), numbers_);
  std::vector<std::pair<int, int>> pairs;
  const size_t count = entries.values.size();
  for (size_t k = 0; k < count; ++k)
    pairs.emplace_back(entries.rows.data()[k] / 3, entries.columns.data()[k] / 3);
  make_room(pairs);
  matrix_.set_zero();
  for (size_t k = 0; k < count; ++k) {
    const auto [row, column] = pairs[k];
    const BlockPattern::Place place = pattern_->find(row, column);
    if (place.transposed) continue;  // the other triangle
    const Index i = entries.rows.data()[k] % 3, j = entries.columns.data()[k] % 3;
    matrix_.block(place.block)[3 * i + j] += entries.values.data()[k];
  }
  if (!held_.empty()) matrix_.fix_dofs(held_);
  return matrix_;
}

}  // namespace pliant::python
