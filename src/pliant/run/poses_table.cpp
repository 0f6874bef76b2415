#include "pliant/run/poses_table.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

#include "pliant/base/error.hpp"
#include "pliant/base/text.hpp"

namespace pliant {

namespace {

constexpr std::string_view kPosesHeader = "frame,name,turn_w,turn_x,turn_y,turn_z,shift_x,shift_y,shift_z\n";

/// Up to the separator, which is taken off as well.
std::string_view take_until(std::string_view& text, char separator) {
  const size_t end = std::min(text.find(separator), text.size());
  const std::string_view taken = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return taken;
}

template <class T>
bool read(std::string_view word, T& number) {
  const auto [end, failed] = std::from_chars(word.data(), word.data() + word.size(), number);
  return failed == std::errc() && end == word.data() + word.size();
}

/// Whether a row says where `name` is in this frame.
bool read_row(std::string_view row, int frame, const std::string& name, Pose& pose) {
  int number = -1;
  if (!read(take_until(row, ','), number) || number != frame) return false;
  if (take_until(row, ',') != name) return false;
  std::array<double, 7> numbers;
  for (double& value : numbers)
    if (!read(take_until(row, ','), value) || !std::isfinite(value)) return false;
  const Eigen::Quaterniond turn(numbers[0], numbers[1], numbers[2], numbers[3]);
  constexpr double kRoundoff = 1e-9;
  if (!row.empty() || !(std::abs(turn.norm() - 1) < kRoundoff)) return false;
  pose.turn = turn.toRotationMatrix();
  pose.shift = {numbers[4], numbers[5], numbers[6]};
  return true;
}

}  // namespace

std::string poses_text(const Simulation& simulation, int last) {
  std::string text(kPosesHeader);
  for (int frame = 0; frame <= last; ++frame) {
    // As the steps that lead there count it.
    const double time = simulation.step_tolerance
                            ? frame / simulation.frame_rate
                            : static_cast<double>(std::int64_t{frame} * simulation.steps_per_frame) /
                                  (simulation.frame_rate * simulation.steps_per_frame);
    for (const Obstacle& obstacle : simulation.model->obstacles) {
      const Pose pose = obstacle.pose(time);
      const Eigen::Quaterniond turn(pose.turn);
      text += format("{},{}", frame, obstacle.name);
      for (const double number :
           {turn.w(), turn.x(), turn.y(), turn.z(), pose.shift.x(), pose.shift.y(), pose.shift.z()})
        text += format(",{:.17g}", number);
      text += "\n";
    }
  }
  return text;
}

std::vector<std::vector<Pose>> parse_poses(const std::string& text, const std::vector<std::string>& names,
                                           const std::string& file) {
  const auto refuse = [&](int line) {
    throw InputError(Complaint{file, line, 1, "this is no row of the poses of the obstacles of this run"});
  };
  std::string_view rest = text;
  if (!rest.starts_with(kPosesHeader)) refuse(1);
  rest.remove_prefix(kPosesHeader.size());
  std::vector<std::vector<Pose>> poses(names.size());
  for (int line = 2; !rest.empty(); ++line) {
    if (names.empty()) refuse(line);
    const size_t row = static_cast<size_t>(line - 2), frame = row / names.size(), which = row % names.size();
    Pose pose;
    if (!read_row(take_until(rest, '\n'), static_cast<int>(frame), names[which], pose)) refuse(line);
    poses[which].push_back(pose);
  }
  return poses;
}

}  // namespace pliant
