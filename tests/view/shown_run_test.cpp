#include "pliant/view/shown_run.hpp"

#include <sys/stat.h>

#include <fstream>
#include <random>
#include <span>
#include <utility>

#include "errors.hpp"
#include "pliant/base/error.hpp"
#include "pliant/view/container.hpp"
#include "runs.hpp"

namespace pliant::shown_run_test {
namespace {

namespace fs = std::filesystem;

std::vector<Vec3> rest_of(const RunFolder& run) {
  std::vector<Vec3> all;
  for (const RunBody& body : run.bodies())
    all.insert(all.end(), body.rest.vertices.begin(), body.rest.vertices.end());
  return all;
}

std::vector<float> values_of(const ShownRun& run, const std::string& field, int frame) {
  const std::string bytes = run.field(field, frame);
  return ContainerReader(bytes, field).f32("values");
}

TEST(Quantized, PositionsComeBackToWithinALevel) {
  const std::vector<float> positions = {-1, 0, 5, 1, 0, 6, 0.3F, 0, 5.25F};
  const QuantizedPositions in = quantized(positions);
  EXPECT_EQ(in.low, Vec3(-1, 0, 5));
  EXPECT_EQ(in.high, Vec3(1, 0, 6));
  for (size_t i = 0; i < positions.size(); ++i) {
    const int c = static_cast<int>(i % 3);
    const double width = in.high[c] - in.low[c];
    EXPECT_NEAR(in.low[c] + width * in.values[i] / 65535, positions[i], width / 65535) << i;
  }
}

TEST(Quantized, PositionsThatAreNotFiniteAreLeftOutOfTheBox) {
  const float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  const QuantizedPositions in = quantized(std::vector<float>{0, 0, 0, nan, inf, -inf, 1, 1, 1});
  EXPECT_EQ(in.high, Vec3(1, 1, 1));
  EXPECT_EQ(in.values[3], 0);
  EXPECT_EQ(in.values[4], 65535);
  EXPECT_EQ(in.values[5], 0);
  EXPECT_EQ(quantized(std::vector<float>{nan, nan, nan}).low, Vec3::Zero());
}

class ShownRunTest : public ::testing::Test {
 protected:
  void SetUp() override { run_fake(out_, 4); }

  TemporaryFolder folder_;
  fs::path out_ = folder_ / "out";
};

TEST_F(ShownRunTest, GivesFramesInTheirBox) {
  const ShownRun run(out_);
  const std::string bytes = run.frame(2);
  const ContainerReader reader(bytes, "frame");
  const std::vector<std::uint16_t> positions = reader.u16("positions");
  ASSERT_EQ(positions.size(), 24U);
  EXPECT_EQ(*std::max_element(positions.begin(), positions.end()), 65535);
  EXPECT_NE(reader.members().find("\"frame\":2,\"bodies\":0,\"time\":0.0833333"), std::string::npos)
      << reader.members();
  const std::vector<float> poses = reader.f32("poses");
  ASSERT_EQ(poses.size(), 12U);
  const Pose& pose = run.folder().obstacles()[0].poses[2];
  EXPECT_FLOAT_EQ(poses[1], static_cast<float>(pose.turn(0, 1)));
  EXPECT_FLOAT_EQ(poses[7], static_cast<float>(pose.shift.y()));
}

TEST_F(ShownRunTest, GivesTheMeshOfBodiesAndObstacles) {
  const ShownRun run(out_);
  const std::string bytes = run.mesh();
  const ContainerReader reader(bytes, "mesh");
  EXPECT_EQ(reader.u32("triangles").size(), 2U * 4 * 3);
  EXPECT_NE(reader.members().find("\"vertices\":8,"), std::string::npos) << reader.members();
  EXPECT_EQ(reader.u32("obstacle_triangles"), (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(reader.f32("obstacle_vertices").size(), 9U);
}

TEST_F(ShownRunTest, GivesDisplacementFromTheStartAndSpeedFromTheNeighbours) {
  std::vector<Vec3> x = rest_of(RunFolder(out_));
  for (int frame = 0; frame < 5; ++frame) {
    std::vector<Vec3> moved = x;
    for (Vec3& place : moved) place += Vec3(0, 0.5 * frame * frame, 0);
    put_frame(out_, frame, moved);
  }
  const ShownRun run(out_);
  EXPECT_EQ(values_of(run, "displacement", 3), std::vector<float>(8, 4.5F));
  const double rate = run.folder().frame_rate();
  for (const auto& [frame, per_frame] : {std::pair{0, 0.5}, {2, 2.0}, {4, 3.5}})
    for (const float speed : values_of(run, "speed", frame))
      EXPECT_NEAR(speed, per_frame * rate, 1e-4) << frame;
}

TEST_F(ShownRunTest, SaysThatAMaterialIsNotKnownInsteadOfAnEnergyDensity) {
  const ShownRun run(out_);  // its scene is no scene
  EXPECT_ERROR(InputError, "scene.toml", run.field("energy-density", 0));
  EXPECT_ERROR(InputError, "scene.toml", run.field("energy-density", 1));
}

TEST_F(ShownRunTest, GivesTheEnergyDensityOfARealScene) {
  run_scene(folder_ / "solid", kSolidScene);
  const ShownRun run(folder_ / "solid");
  std::vector<Vec3> x = rest_of(run.folder());
  for (Vec3& place : x) place.x() *= 1.5;
  put_frame(folder_ / "solid", 0, x);
  const std::vector<float> values = values_of(run, "energy-density", 0);
  ASSERT_EQ(values.size(), 56U);
  // The same everywhere, as the whole block is stretched alike.
  for (const float value : values) EXPECT_NEAR(value, values[0], 1e-3 * values[0]);
  EXPECT_GT(values[0], 100);
  for (const float value : values_of(run, "stretch", 0)) EXPECT_NEAR(value, 1.5, 1e-5);
}

TEST_F(ShownRunTest, SeesFramesThatCameLater) {
  const ShownRun run(out_);
  EXPECT_EQ(run.frames(), 5);
  fs::copy_file(frame_path(out_, 4), frame_path(out_, 5));
  EXPECT_EQ(run.frames(), 6);
  fs::remove(frame_path(out_, 5));
  EXPECT_EQ(run.frames(), 5);
}

TEST_F(ShownRunTest, RefusesFramesThatAreCutOffOrOfAnotherSize) {
  const ShownRun run(out_);
  fs::resize_file(frame_path(out_, 1), fs::file_size(frame_path(out_, 1)) - 5);
  EXPECT_ERROR(InputError, "is it cut off?", run.frame(1));
  put_frame(out_, 2, std::vector<Vec3>(7, Vec3::Zero()));
  EXPECT_ERROR(InputError, "holds 7 x 3 numbers", run.frame(2));
  std::filesystem::resize_file(frame_path(out_, 4), std::uintmax_t{1} << 30);  // mostly a hole
  EXPECT_ERROR(InputError, "is larger than the vertices of the bodies take", run.frame(4));
  EXPECT_NO_THROW(run.frame(3));
}

TEST_F(ShownRunTest, FollowsNoLinkOutOfItsFolder) {
  fs::rename(frame_path(out_, 1), folder_ / "elsewhere.npy");
  fs::create_symlink(folder_ / "elsewhere.npy", frame_path(out_, 1));
  EXPECT_ERROR(InputError, "leads out of the run folder", ShownRun(out_).frame(1));
  // Within the folder a link leads to nothing that could not be asked for anyway.
  fs::remove(frame_path(out_, 1));
  fs::create_symlink("000002.npy", frame_path(out_, 1));
  EXPECT_NO_THROW(ShownRun(out_).frame(1));
  fs::rename(out_ / "bodies/one.vtu", folder_ / "one.vtu");
  fs::create_symlink(folder_ / "one.vtu", out_ / "bodies/one.vtu");
  EXPECT_ERROR(InputError, "leads out of the run folder", ShownRun{out_});
}

TEST_F(ShownRunTest, KnowsTornBodiesByOneNameOnly) {
  fs::create_directory(out_ / "bodies/0000002");
  fs::copy_file(out_ / "bodies/one.vtu", out_ / "bodies/0000002/one.vtu");
  EXPECT_EQ(ShownRun(out_).bodies_in(3)->since(), 0);
  // What a link leads to is not read by way of a folder of the same number that was looked at.
  fs::create_directory(folder_ / "elsewhere");
  fs::copy_file(out_ / "bodies/one.vtu", folder_ / "elsewhere/one.vtu");
  fs::create_directory_symlink(folder_ / "elsewhere", out_ / "bodies/000002");
  EXPECT_ERROR(InputError, "leads out of the run folder", ShownRun{out_});
}

/// Mostly a hole: it takes no place on the disk.
void blow_up(const fs::path& file, std::uint64_t size) { fs::resize_file(file, size); }

TEST_F(ShownRunTest, ReadsNoFileThatIsLargerThanRunsWrite) {
  for (const auto& [name, size] : {std::pair{"summary.json", kMostTextBytes},
                                   {"bodies/one.vtu", kMostMeshBytes},
                                   {"obstacles/ball.obj", kMostMeshBytes},
                                   {"obstacles.csv", kMostTableBytes}}) {
    const std::string whole = read_file(out_ / name);
    blow_up(out_ / name, size + 1);
    try {
      const ShownRun run(out_);
      ADD_FAILURE() << name;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("MB that a run writes at most"), std::string::npos)
          << error.what();
    }
    write_file_atomically(out_ / name, whole);
  }
  const ShownRun run(out_);
  blow_up(out_ / "scene.toml", kMostTextBytes + 1);
  EXPECT_NE(run.head(0).find("MB that a run writes at most"), std::string::npos) << run.head(0);
  blow_up(out_ / "steps.csv", kMostTableBytes + 1);
  EXPECT_ERROR(InputError, "MB that a run writes at most", run.steps().count());
}

TEST_F(ShownRunTest, WaitsForNoPipe) {
  const ShownRun run(out_);
  for (const fs::path& file : {frame_path(out_, 1), out_ / "steps.csv"}) {
    fs::remove(file);
    ASSERT_EQ(::mkfifo(file.c_str(), 0600), 0);
  }
  EXPECT_ERROR(InputError, "this is not a file", run.frame(1));
  EXPECT_ERROR(InputError, "this is not a file", run.steps().count());
}

TEST_F(ShownRunTest, RefusesNamesThatLeadOutOfItsFolder) {
  std::string summary = read_file(out_ / "summary.json");
  summary.replace(summary.find("\"one\""), 5, "\"../../one\"");
  fs::copy_file(out_ / "bodies/one.vtu", folder_ / "one.vtu");
  write_file_atomically(out_ / "summary.json", summary);
  EXPECT_ERROR(InputError, "could not be the name of a file", ShownRun{out_});
}

TEST_F(ShownRunTest, RefusesNamesWithControlCharacters) {
  const std::string whole = read_file(out_ / "summary.json");
  for (const char* name : {"\"o\\u001b[2Jne\"", "\"one\\n\"", "\"one\\u007f\""}) {
    std::string summary = whole;
    summary.replace(summary.find("\"one\""), 5, name);
    write_file_atomically(out_ / "summary.json", summary);
    EXPECT_ERROR(InputError, "could not be the name of a file", ShownRun{out_}) << name;
  }
}

TEST_F(ShownRunTest, DeepJsonIsCutInsteadOfFollowed) {
  std::string summary = read_file(out_ / "summary.json");
  summary.insert(1, "\"deep\": " + std::string(100'000, '[') + std::string(100'000, ']') + ",");
  write_file_atomically(out_ / "summary.json", summary);
  EXPECT_LT(ShownRun(out_).head(0).size(), 20'000U);
}

/// What may stand in the place of a text: cut off, with other bytes, with more of them.
std::string damaged(std::string text, std::mt19937& random) {
  switch (random() % 3) {
    case 0:
      text.resize(random() % (text.size() + 1));
      break;
    case 1:
      for (int k = 0; k < 4 && !text.empty(); ++k) text[random() % text.size()] = static_cast<char>(random());
      break;
    default:
      text.insert(random() % (text.size() + 1),
                  std::string(1 + random() % 40, "0[{-9\n\xff\""[random() % 8]));
  }
  return text;
}

void look_at_all(const fs::path& folder, std::span<const char* const> fields) {
  const ShownRun run(folder);
  run.head(0);
  run.mesh();
  for (int frame = 0; frame < run.frames(); ++frame) {
    run.frame(frame);
    for (const char* field : fields) run.field(field, frame);
  }
  run.steps().from(0);
}

/// Damages files one at a time; how often a run was refused then, and how often it was shown.
std::pair<int, int> look_at_damage(const fs::path& folder, int rounds, std::span<const char* const> fields) {
  std::mt19937 random(7);
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file() && entry.path().filename() != "checkpoint.bin") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  int refused = 0, shown = 0;
  for (int round = 0; round < rounds; ++round) {
    const fs::path& file = files[random() % files.size()];
    const std::string whole = read_file(file);
    std::ofstream(file, std::ios::binary) << damaged(whole, random);
    try {
      look_at_all(folder, fields);
      ++shown;
    } catch (const InputError& error) {
      EXPECT_GT(std::string(error.what()).size(), 10U);
      ++refused;
    }
    std::ofstream(file, std::ios::binary) << whole;
  }
  return {refused, shown};
}

TEST_F(ShownRunTest, DamageAnywhereGivesAMessageAndNoCrash) {
  constexpr const char* kFields[] = {"displacement", "speed", "stretch", "inverted"};
  const auto [refused, shown] = look_at_damage(out_, 300, kFields);
  EXPECT_GT(refused, 50);
  EXPECT_GT(shown, 20);
}

TEST_F(ShownRunTest, DamageToARealSceneGivesAMessageAndNoCrash) {
  run_scene(folder_ / "solid", kSolidScene);
  constexpr const char* kFields[] = {"energy-density", "stretch"};
  const auto [refused, shown] = look_at_damage(folder_ / "solid", 400, kFields);
  EXPECT_GT(refused, 50);
  EXPECT_GT(shown, 20);
}

/// The energy densities of a run that is said to be of other bodies than it is.
class HostileScene : public ShownRunTest {
 protected:
  void SetUp() override {
    ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
    pipe_ = (folder_ / "pipe").string();
  }

  static std::string scene(const std::string& body) {
    return "name = \"Said\"\nduration = 1\ngravity = [0, 0, 0]\n[[body]]\nname = \"it\"\n" + body +
           "\nmaterial = { young = 1e5, density = 100 }\n";
  }

  /// Runs a body that is stretched in frame 0, and says what it is colored by.
  std::vector<float> run_stretched(const std::string& body) {
    run_scene(out_, scene(body));
    const ShownRun run(out_);
    std::vector<Vec3> x = rest_of(run.folder());
    for (Vec3& place : x) place *= 1.2;
    put_frame(out_, 0, x);
    return values_of(run, "energy-density", 0);
  }

  std::vector<float> when_said(const std::string& text) const {
    write_file_atomically(out_ / "scene.toml", text);
    return values_of(ShownRun(out_), "energy-density", 0);
  }

  std::string pipe_;  ///< whoever opens it waits
};

TEST_F(HostileScene, NamesNoFileThatIsReadForASolid) {
  const std::vector<float> honest = run_stretched(R"(shape = { kind = "box", cells = [2, 2, 2] })");
  ASSERT_GT(honest[0], 0);
  const std::string surface = "{ kind = \"surface\", file = \"" + pipe_ + "\" }";
  for (const std::string& body :
       {"mesh = \"" + pipe_ + "\"", "shape = " + surface,
        "shape = { kind = \"union\", parts = [{ kind = \"sphere\" }, " + surface + "] }",
        "shape = { kind = \"mirror\", parts = [{ kind = \"shell\", parts = [" + surface + "] }] }"})
    EXPECT_EQ(when_said(scene(body)), honest) << body;
  const std::string block = scene("shape = { kind = \"box\" }");
  EXPECT_EQ(when_said(block + "[[obstacle]]\ncontact = \"penalty\"\nmesh = \"" + pipe_ + "\"\n"), honest);
  EXPECT_EQ(when_said(block + "[[obstacle]]\ncontact = \"penalty\"\nshape = " + surface + "\n"), honest);
  EXPECT_ERROR(InputError, "describes other bodies than those that ran",
               when_said(scene("shape = { kind = \"sheet\", file = \"" + pipe_ + "\" }")));
  EXPECT_ERROR(InputError, "describes other bodies than those that ran",
               when_said(scene("shape = { kind = \"strand\", file = \"" + pipe_ + "\" }")));
}

TEST_F(HostileScene, NamesNoFileThatIsReadForASheet) {
  const std::vector<float> honest = run_stretched(R"(shape = { kind = "cloth", cells = [4, 4, 1] })");
  ASSERT_GT(honest[0], 0);
  for (const std::string& file : {pipe_, std::string("/etc/passwd"), std::string("/nowhere.obj")})
    EXPECT_EQ(when_said(scene("shape = { kind = \"sheet\", file = \"" + file + "\" }")), honest) << file;
  EXPECT_ERROR(InputError, "describes other bodies than those that ran",
               when_said(scene("mesh = \"" + pipe_ + "\"")));
}

TEST_F(HostileScene, NamesNoFileThatIsReadForAStrand) {
  const std::vector<float> honest = run_stretched(R"(shape = { kind = "strand", cells = [9, 1, 1] })");
  ASSERT_GT(honest[0], 0);
  for (const std::string& file : {pipe_, std::string("/etc/passwd"), std::string("/nowhere.vtu")})
    EXPECT_EQ(when_said(scene("shape = { kind = \"strand\", file = \"" + file + "\" }")), honest) << file;
}

TEST_F(HostileScene, AsksForNothingLarge) {
  std::vector<float> honest = run_stretched(R"(shape = { kind = "box", cells = [2, 2, 2] })");
  for (const char* shape :
       {R"({ kind = "box", cells = [50000000, 1, 1] })", R"({ kind = "sphere", cell = 1e-9 })",
        R"({ kind = "torus", refine = [{ center = [0, 0, 0], radius = 9, cell = 1e-9 }] })"})
    EXPECT_EQ(when_said(scene(std::string("shape = ") + shape)), honest) << shape;
  const std::vector<float> hexes =
      when_said(scene(R"(shape = { kind = "sphere", elements = "hexahedra", cell = 1e-9 })"));
  EXPECT_EQ(hexes.size(), honest.size());
  fs::remove_all(out_);
  honest = run_stretched(R"(shape = { kind = "cloth", cells = [4, 4, 1] })");
  EXPECT_EQ(when_said(scene(R"(shape = { kind = "cloth", cells = [7000, 7000, 1] })")), honest);
}

}  // namespace
}  // namespace pliant::shown_run_test
