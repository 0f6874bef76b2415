#include "pliant/lab/shown_run.hpp"

#include <sys/stat.h>

#include <fstream>
#include <random>

#include "pliant/base/error.hpp"
#include "pliant/lab/container.hpp"
#include "runs.hpp"

namespace pliant {
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
  EXPECT_THROW(run.field("energy-density", 0), InputError);
  EXPECT_THROW(run.field("energy-density", 1), InputError);
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
  EXPECT_THROW(run.frame(1), InputError);
  put_frame(out_, 2, std::vector<Vec3>(7, Vec3::Zero()));
  EXPECT_THROW(run.frame(2), InputError);
  std::filesystem::resize_file(frame_path(out_, 4), std::uintmax_t{1} << 30);  // mostly a hole
  EXPECT_THROW(run.frame(4), InputError);
  EXPECT_NO_THROW(run.frame(3));
}

TEST_F(ShownRunTest, FollowsNoLinkOutOfItsFolder) {
  fs::rename(frame_path(out_, 1), folder_ / "elsewhere.npy");
  fs::create_symlink(folder_ / "elsewhere.npy", frame_path(out_, 1));
  EXPECT_THROW(ShownRun(out_).frame(1), InputError);
  // Within the folder a link leads to nothing that could not be asked for anyway.
  fs::remove(frame_path(out_, 1));
  fs::create_symlink("000002.npy", frame_path(out_, 1));
  EXPECT_NO_THROW(ShownRun(out_).frame(1));
  fs::rename(out_ / "bodies/one.vtu", folder_ / "one.vtu");
  fs::create_symlink(folder_ / "one.vtu", out_ / "bodies/one.vtu");
  EXPECT_THROW(ShownRun{out_}, InputError);
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
  EXPECT_THROW(run.steps().count(), InputError);
}

TEST_F(ShownRunTest, WaitsForNoPipe) {
  const ShownRun run(out_);
  for (const fs::path& file : {frame_path(out_, 1), out_ / "steps.csv"}) {
    fs::remove(file);
    ASSERT_EQ(::mkfifo(file.c_str(), 0600), 0);
  }
  EXPECT_THROW(run.frame(1), InputError);
  EXPECT_THROW(run.steps().count(), InputError);
}

TEST_F(ShownRunTest, RefusesNamesThatLeadOutOfItsFolder) {
  std::string summary = read_file(out_ / "summary.json");
  summary.replace(summary.find("\"one\""), 5, "\"../../one\"");
  fs::copy_file(out_ / "bodies/one.vtu", folder_ / "one.vtu");
  write_file_atomically(out_ / "summary.json", summary);
  EXPECT_THROW(ShownRun{out_}, InputError);
}

TEST_F(ShownRunTest, DeepJsonIsCutInsteadOfFollowed) {
  std::string summary = read_file(out_ / "summary.json");
  summary.insert(1, "\"deep\": " + std::string(100'000, '[') + std::string(100'000, ']') + ",");
  write_file_atomically(out_ / "summary.json", summary);
  EXPECT_LT(ShownRun(out_).head(0).size(), 20'000U);
}

TEST_F(ShownRunTest, DamageAnywhereGivesAMessageAndNoCrash) {
  std::mt19937 random(7);
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(out_))
    if (entry.is_regular_file() && entry.path().filename() != "checkpoint.bin") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  int refused = 0, shown = 0;
  for (int round = 0; round < 300; ++round) {
    const fs::path& file = files[random() % files.size()];
    const std::string whole = read_file(file);
    std::string damaged = whole;
    switch (random() % 3) {
      case 0:
        damaged.resize(random() % (whole.size() + 1));
        break;
      case 1:
        for (int k = 0; k < 4 && !damaged.empty(); ++k)
          damaged[random() % damaged.size()] = static_cast<char>(random());
        break;
      default:
        damaged.insert(random() % (whole.size() + 1),
                       std::string(1 + random() % 40, "0[{-9\n\xff\""[random() % 8]));
    }
    std::ofstream(file, std::ios::binary) << damaged;
    try {
      const ShownRun run(out_);
      run.head(0);
      run.mesh();
      for (int frame = 0; frame < run.frames(); ++frame) {
        run.frame(frame);
        for (const char* field : {"displacement", "speed", "stretch", "inverted"}) run.field(field, frame);
      }
      run.steps().from(0);
      ++shown;
    } catch (const InputError& error) {
      EXPECT_GT(std::string(error.what()).size(), 10U);
      ++refused;
    }
    std::ofstream(file, std::ios::binary) << whole;
  }
  EXPECT_GT(refused, 50);
  EXPECT_GT(shown, 20);
}

}  // namespace
}  // namespace pliant
