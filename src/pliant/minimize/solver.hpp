#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "pliant/minimize/find_start.hpp"
#include "pliant/minimize/recipe.hpp"
#include "pliant/minimize/walls.hpp"

namespace pliant {

/// Minimises objectives by one method: a start among guesses, a direction, a line search and the descent
/// loop, with the safeguards that are switched on.
class Solver {
 public:
  /// Throws InputError where no method has that name. `safeguards` are those of long descents that know the
  /// problem.
  explicit Solver(const SolverOptions& options, std::vector<std::unique_ptr<Safeguard>> safeguards = {});

  /// x is the answer. There must be a guess. Where no finite start is found the status says so and x is the
  /// safe point, or without one the last guess.
  Outcome solve(Objective& objective, const Guesses& guesses, Field& x);

  /// Whether guesses may turn out to have gone too far, for which Guesses::to_stay is needed.
  bool asks_what_it_takes_to_stay() const { return recipe_.long_descents && switches_.guesses; }
  /// So many, converged or not.
  void set_iterations(int iterations) { options_.iterations = iterations; }
  /// Has each point of a descent told to `watch`.
  void set_watch(std::function<void(int iterations, const Field& x)> watch) {
    options_.watch = std::move(watch);
  }

 private:
  void detour(Objective& objective, Walls& walls, Field& x, Outcome& outcome);
  void settle(Objective& objective, Field& x, Outcome& outcome);

  void forget_other_unknowns(const Objective& objective);

  SolverOptions made_of_;
  const Recipe& recipe_;
  SafeguardSwitches switches_;
  DescentOptions options_;
  std::unique_ptr<Direction> direction_;
  std::optional<std::uint64_t> layout_;  ///< of the unknowns that it was last asked about
  std::unique_ptr<LineSearch> search_;
  std::vector<std::unique_ptr<Safeguard>> owned_;
  std::vector<Safeguard*> safeguards_, of_detours_;
};

}  // namespace pliant
