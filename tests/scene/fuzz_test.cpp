// Damaged scene files are either read or refused with InputError, never anything else.
#include "pliant/base/random.hpp"
#include "scene/complaints.hpp"

namespace pliant::fuzz_test {

namespace {

const std::string kScene = R"(name = "Fuzz"
duration = 1.5
gravity = [0, -9.81, 0]
seed = 3
[time]
steps_per_frame = 2
[solver]
method = "newton-cg"
tolerance = 1e-3
[[body]]
name = "a"
shape = { kind = "box", size = [1, 1, 1], cells = [2, 2, 2] }
material = { model = "neo-hookean", young = 1e5, poisson = 0.4 }
scale = 2
[body.start]
collapse = [0, 1, 2]
[[body.script]]
region = { box = { min = [-2, -2, -2], max = [-1, 2, 2] } }
keys = [{ time = 0 }, { time = 1, translate = [0, 1, 0] }]
[[body.attachment]]
region = { indices = [1, 2, 3] }
stiffness = 1e3
[contact]
self_collision = true
[[obstacle]]
name = "ground"
shape = { kind = "plane", normal = [0, 1, 0] }
translate = [0, -9, 0]
motion = { velocity = [1, 0, 0], spin = 3, keys = [{ time = 0 }, { time = 1, angle = 9 }] }
contact = "penalty"
stiffness = 1e6
friction = 0.3
)";

const std::string kPieces[] = {"[[body]]\n", "=",    "[",       "]", "{",     "}",          "\"",   "\n", "-",
                               "nan",        "inf",  "9",       "0", "1e308", "1979-05-27", "true", "'",  ".",
                               "region",     "\xff", "\\u0000", "# "};

size_t below(Random& random, size_t count) { return static_cast<size_t>(random.next() % count); }

std::string inserted(const std::string& text, size_t place, const std::string& piece) {
  return text.substr(0, place) + piece + text.substr(place);
}

std::string damaged(Random& random) {
  std::string text = kScene;
  for (size_t changes = 1 + below(random, 3); changes > 0; --changes) {
    const size_t place = below(random, text.size());
    const size_t length = 1 + below(random, 12);
    switch (below(random, 5)) {
      case 0:
        text.erase(place, length);
        break;
      case 1:
        text = inserted(text, place, kPieces[below(random, std::size(kPieces))]);
        break;
      case 2:
        text[place] = static_cast<char>(below(random, 256));
        break;
      case 3:
        if (text[place] >= '0' && text[place] <= '9')
          text[place] = static_cast<char>('0' + below(random, 10));
        break;
      default:
        text = inserted(text, place, text.substr(below(random, text.size()), length));
        break;
    }
  }
  return text;
}

bool is_small(const SceneKeys& keys) {
  const auto plane = [](const ObstacleKeys& obstacle) {
    return obstacle.shape && obstacle.shape->kind == "plane";
  };
  if (!std::all_of(keys.obstacles.begin(), keys.obstacles.end(), plane)) return false;
  return std::all_of(keys.bodies.begin(), keys.bodies.end(), [](const BodyKeys& body) {
    const bool regular = !body.shape || body.shape->kind == "rectangle" ||
                         (body.shape->kind == "box" && !body.shape->cell && body.shape->round == 0);
    return regular &&
           (!body.shape || 1.0 * body.shape->cells[0] * body.shape->cells[1] * body.shape->cells[2] < 1000);
  });
}

}  // namespace

TEST(Fuzz, DamagedScenesAreReadOrRefused) {
  Random random(20150101);
  int read = 0, refused = 0;
  for (int i = 0; i < 4000; ++i) {
    const std::string text = damaged(random);
    try {
      const SceneKeys keys = parse_scene(text, "fuzz.toml");
      if (is_small(keys)) place_scene(keys, ".");
      ++read;
    } catch (const InputError& error) {
      EXPECT_FALSE(error.complaints().empty());
      ++refused;
    }
  }
  EXPECT_GT(read, 100);
  EXPECT_GT(refused, 100);
}

TEST(Fuzz, DamagedOverridesAreTakenOrRefused) {
  Random random(7);
  int refused = 0;
  for (int i = 0; i < 2000; ++i) {
    std::string item = "body.a.start.collapse=[0, 1, 2]";
    for (int change = 0; change < 3; ++change)
      item = inserted(item, below(random, item.size()), kPieces[below(random, std::size(kPieces))]);
    try {
      parse_scene(kScene, "fuzz.toml", {item});
    } catch (const InputError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 100);
}

}  // namespace pliant::fuzz_test
