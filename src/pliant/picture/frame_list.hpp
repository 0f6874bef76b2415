#pragma once

#include <string>
#include <vector>

namespace pliant {

/// Which frames to work on, as written on the command line: "" for all of them, "0,12,24" for a list,
/// "0:72:12" for a range (first:last or first:last:step, the last one included). Throws InputError where the
/// text is not that or names a frame outside 0 .. count-1.
std::vector<int> parse_frame_list(const std::string& text, int count);

}  // namespace pliant
