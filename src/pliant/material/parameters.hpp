#pragma once

#include <any>
#include <type_traits>
#include <utility>

namespace pliant {

/// What some material takes beside its moduli: a value of a struct that only the material knows, as
/// `StrainLimit{.low = 0.9, .high = 1.1}`; or nothing, which stands for what the material does unless told.
class Parameters {
 public:
  Parameters() = default;
  template <class Own>
  requires(!std::is_same_v<Own, Parameters>) Parameters(Own own) : own_(std::move(own)) {}

  bool empty() const { return !own_.has_value(); }
  bool of_one_kind_with(const Parameters& other) const { return own_.type() == other.own_.type(); }

  /// They must be an `Own`.
  template <class Own>
  Own& as() {
    return std::any_cast<Own&>(own_);
  }
  template <class Own>
  const Own& as() const {
    return std::any_cast<const Own&>(own_);
  }

 private:
  std::any own_;
};

}  // namespace pliant
