#include "pliant/picture/frame_list.hpp"

#include <charconv>
#include <string_view>

#include "pliant/base/error.hpp"
#include "pliant/base/text.hpp"

namespace pliant {

namespace {

std::vector<int> numbers_between(std::string_view text, char separator, const std::string& whole) {
  std::vector<int> numbers;
  while (true) {
    const size_t end = text.find(separator);
    const std::string_view part = text.substr(0, end);
    int number = 0;
    const auto [rest, error] = std::from_chars(part.data(), part.data() + part.size(), number);
    if (error != std::errc() || rest != part.data() + part.size() || number < 0) {
      throw InputError(
          format("frames '{}': '{}' is not a frame number; write a list as 0,12,24 or a range as 0:72:12 "
                 "(first:last:step)",
                 whole, part));
    }
    numbers.push_back(number);
    if (end == std::string_view::npos) return numbers;
    text.remove_prefix(end + 1);
  }
}

std::vector<int> expand_range(const std::vector<int>& range, const std::string& text) {
  const int step = range.size() == 3 ? range[2] : 1;
  if (range.size() > 3 || step == 0 || range[1] < range[0]) {
    throw InputError(format(
        "frames '{}': a range is first:last or first:last:step, with the last not before the first and "
        "a step of at least 1",
        text));
  }
  std::vector<int> frames;
  for (long frame = range[0]; frame <= range[1]; frame += step) frames.push_back(static_cast<int>(frame));
  return frames;
}

void check_range(const std::vector<int>& named, int count, const std::string& text) {
  for (const int frame : named) {
    if (frame < count) continue;
    throw InputError(format("frames '{}': there is no frame {}; the run has {} frame{}, 0 to {}", text, frame,
                            count, count == 1 ? "" : "s", count - 1));
  }
}

}  // namespace

std::vector<int> parse_frame_list(const std::string& text, int count) {
  if (count <= 0) throw InputError("the run has no frames yet");
  if (text.empty()) return expand_range({0, count - 1}, text);
  if (text.find(':') == std::string::npos) {
    std::vector<int> frames = numbers_between(text, ',', text);
    check_range(frames, count, text);
    return frames;
  }
  const std::vector<int> range = numbers_between(text, ':', text);
  check_range({range[0], range[1]}, count, text);
  return expand_range(range, text);
}

}  // namespace pliant
