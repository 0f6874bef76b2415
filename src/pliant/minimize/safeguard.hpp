#pragma once

#include <string_view>

#include "pliant/minimize/line_search.hpp"

namespace pliant {

/// Something that helps a descent that creeps. A descent works without, and each can be switched off alone.
class Safeguard {
 public:
  virtual ~Safeguard() = default;
  virtual std::string_view name() const = 0;

  /// Whether it knows of what a detour makes stiffer.
  virtual bool serves_detours() const { return true; }

  /// A point that may be lower than `here`, found otherwise than along a direction.
  struct Proposal {
    bool made = false;
    int linear_solves = 0;  ///< in a few unknowns only
  };
  /// Before the iteration after so many. Where a point is proposed it is put into x; the descent looks
  /// whether it is lower there, and stays where it is not.
  virtual Proposal propose(int iterations, const SearchPoint& here, Field& x) {
    static_cast<void>(iterations);
    static_cast<void>(here);
    static_cast<void>(x);
    return {};
  }

  /// In an iteration, may replace the step from `here` by another one that leads downhill.
  virtual void shape(int iterations, const SearchPoint& here, Field& step) {
    static_cast<void>(iterations);
    static_cast<void>(here);
    static_cast<void>(step);
  }
};

}  // namespace pliant
