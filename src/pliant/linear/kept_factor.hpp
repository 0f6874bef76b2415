#pragma once

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "pliant/base/field.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/linear/constant_factor.hpp"
#include "pliant/linear/scalar_matrix.hpp"

namespace pliant {

/// The factors of the constant matrices of bodies that tear, kept while they do (liu-2018, section 8.4). What
/// has torn has other matrices; these are factored in the background, and taken into use a fixed number of
/// steps after they were begun, ready or not by then, so that a run does not depend on how fast the machine
/// is. Until then an old factor A serves the new vertices i, which were the vertices a(i) when it was made,
/// with P_{i,a(i)} = 1 and the diagonal D of the matrix as it is now, at the vertices that were one:
///
///     x = P A^-1 P^T b + D^-1 b
///
/// There is a factor for each length of a stage, of which the last few are kept. They outlive the models and
/// solvers of a run.
class KeptFactor {
 public:
  explicit KeptFactor(int steps);
  KeptFactor(const KeptFactor&) = delete;
  KeptFactor& operator=(const KeptFactor&) = delete;
  ~KeptFactor();

  /// Takes up a descent with the matrix of this `number` and this weight of inertia, which is made where it
  /// is not known yet; false where it is not definite.
  bool begin(int number, double weight, FunctionRef<ScalarMatrix()> make_matrix);
  void solve(const Field& b, Field& x);
  /// Of the matrix as it is now, three numbers a vertex.
  const Field& diagonal() const;

  /// The vertices have been numbered anew: i was origin[i].
  void tear(const std::vector<int>& origin);
  void step_done();

  /// Puts what a later run must know among the arrays of a state, and takes it out of them; `vertices` is how
  /// many there are. Throws InputError where the arrays are damaged.
  void save(std::map<std::string, Vector>& arrays) const;
  void take(std::map<std::string, Vector>& arrays, int vertices);

 private:
  struct Version;
  struct Kept;
  Kept& of_weight(double weight);

  int steps_;
  std::deque<std::unique_ptr<Kept>> kept_;  ///< the one used last comes first
  Vector merged_, solved_;
};

}  // namespace pliant
