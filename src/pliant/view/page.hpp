#pragma once

#include <string_view>

namespace pliant {

/// The built page of the viewer, one HTML file with its scripts and styles in it. Where the viewer was not
/// built, a page that says so.
std::string_view viewer_page();

/// Where a report puts its data.
inline constexpr std::string_view kDataMarker = "<!--pliant-data-->";

}  // namespace pliant
