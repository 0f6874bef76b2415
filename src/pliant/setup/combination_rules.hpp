#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "pliant/setup/combinations.hpp"

namespace pliant {

/// What of a combination one side of a row is about: the whole, or each of its bodies or obstacles in turn.
enum class CombinationSubject { whole, body, obstacle };

struct CombinationSide {
  std::string words;
  CombinationSubject subject;
  std::function<bool(const Combination&, size_t number)> holds;
};

/// Two choices that do not go together; those of bodies are of the same body.
struct CombinationRule {
  KeyTable table;
  std::string_view key;
  CombinationSide one, other;
  /// `body` is the one that the row is about; without one the first.
  std::function<std::string(const Combination&, const Combination::Body& body)> message;
};

/// The whole table.
const std::vector<CombinationRule>& combination_rules();

}  // namespace pliant
