#pragma once

#include <exception>
#include <functional>
#include <string>

namespace pliant::testing {

/// Whether an act ends in this error, saying this among other things.
template <class Error>
::testing::AssertionResult fails(const std::function<void()>& act, const std::string& part) {
  try {
    act();
  } catch (const std::exception& error) {
    const std::string said = error.what();
    if (dynamic_cast<const Error*>(&error) == nullptr)
      return ::testing::AssertionFailure() << "another kind of error says: " << said;
    if (said.find(part) != std::string::npos) return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure() << "it says: " << said << "\nand not: " << part;
  }
  return ::testing::AssertionFailure() << "no error";
}

}  // namespace pliant::testing

/// The statement, which comes last so that it may hold commas, ends in this error, whose message holds this
/// part.
#define EXPECT_ERROR(Error, part, ...) \
  EXPECT_TRUE(::pliant::testing::fails<Error>([&] { __VA_ARGS__; }, part))
