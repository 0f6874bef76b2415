#pragma once

#include <array>
#include <span>
#include <utility>
#include <vector>

#include "pliant/base/large_array.hpp"
#include "pliant/potential/element_functions.hpp"
#include "pliant/potential/element_schedule.hpp"

namespace pliant {

/// Elements of one kind as they come: `corners` vertices and `rest` numbers each, one element after another.
struct ElementList {
  std::vector<int> corners;
  std::vector<double> rest;
  std::vector<Vec3> centers = {};  ///< what `order_of_elements` goes by

  void add(std::span<const int> vertices, std::span<const double> numbers, const Vec3& center) {
    corners.insert(corners.end(), vertices.begin(), vertices.end());
    rest.insert(rest.end(), numbers.begin(), numbers.end());
    centers.push_back(center);
  }
};

/// How elements lie in memory: in the order of a schedule, quantity by quantity, padded to the widest pack by
/// the last element with no volume.
class ElementTable {
 public:
  /// `order` is that of the elements in memory.
  ElementTable(const ElementFunctions& kind, const ElementList& elements, std::vector<int> order);

  Index count() const { return count_; }
  const ElementSchedule& schedule() const { return schedule_; }
  /// The element at a place, and the place of an element.
  int element(Index place) const { return schedule_.order()[place]; }
  int place(Index element) const { return place_of_[element]; }
  int corner(Index place, int a) const { return dofs_[a * padded_ + place] / 3; }
  double rest(Index place, int k) const { return rest_[rest_start_[k] + rest_step_[k] * place]; }

  /// For the functions of the kernel, where the vertices are at x.
  ElementRecords records(const double* x) const {
    return {rest_.data(), rest_start_.data(), rest_step_.data(), dofs_.data(), padded_, x};
  }

 private:
  Index count_, padded_;
  ElementSchedule schedule_;
  std::vector<int> place_of_;
  LargeArray<int> dofs_;
  LargeArray<double> rest_;
  std::vector<Index> rest_start_, rest_step_;
};

/// The places of the elements at each vertex.
class TouchingElements {
 public:
  TouchingElements(const ElementTable& table, int corners);
  std::span<const int> at(int vertex) const {
    if (vertex + 1 >= std::ssize(start_)) return {};
    return {places_.data() + start_[vertex], places_.data() + start_[vertex + 1]};
  }

 private:
  std::vector<int> start_, places_;
};

}  // namespace pliant
