#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pliant {

/// The known name closest to a mistyped one by edit distance; empty when none is close enough to be meant.
std::string_view nearest_name(std::string_view mistyped, const std::vector<std::string_view>& known);

/// "a, b, c".
std::string joined(const std::vector<std::string_view>& names);

/// What a body or obstacle without a name is called: "body", "body-2", "body-3".
std::string default_name(std::string_view what, size_t position);

/// Letters, digits, - and _ only, so that the name is safe as a part of a file name and of a dotted key.
bool is_file_name_safe(std::string_view name);

/// A file-name safe version of any text: "Torus drop" becomes "torus-drop".
std::string to_file_name(std::string_view text);

}  // namespace pliant
