// Bodies that tear, as they are shown, reported and compared.
#include <numeric>

#include "errors.hpp"
#include "pliant/base/error.hpp"
#include "pliant/study/comparison_table.hpp"
#include "pliant/view/container.hpp"
#include "pliant/view/report.hpp"
#include "pliant/view/report_frames.hpp"
#include "pliant/view/shown_run.hpp"
#include "runs.hpp"

namespace pliant::torn_run_test {
namespace {

namespace fs = std::filesystem;

/// A strip or a bar that two clamps pull apart, and a body that stays whole after it.
std::string pulled(const std::string& shape, const std::string& material) {
  return R"(name = "Pulled apart"
duration = 0.5
frame_rate = 30
gravity = [0, 0, 0]
[solver]
method = "lbfgs"
iterations = 8
[[body]]
name = "pulled"
shape = )" +
         shape + "\nmaterial = " + material + R"(
[[body.script]]
region = { box = { min = [-2, -2, -2], max = [-0.45, 2, 2] } }
[[body.script]]
region = { box = { min = [0.45, -2, -2], max = [2, 2, 2] } }
velocity = [2, 0, 0]
[[body]]
name = "whole"
shape = { kind = "box", size = [0.1, 0.1, 0.1], cells = [1, 1, 1] }
translate = [0, 1, 0]
)";
}

const std::string kStrip =
    pulled(R"({ kind = "cloth", length = 1, width = 0.4, cells = [20, 8, 1], thickness = 0.001 })",
           R"({ model = "neo-hookean", young = 1e5, poisson = 0.3, tear = 1.3 })");
const std::string kBar = pulled(R"({ kind = "box", size = [1, 0.3, 0.3], cells = [8, 3, 3] })",
                                R"({ model = "fixed-corotated", young = 1e5, tear = 1.4 })");

std::vector<float> values_of(const ShownRun& run, const std::string& field, int frame) {
  const std::string bytes = run.field(field, frame);
  return ContainerReader(bytes, field).f32("values");
}

/// The frames before which something has torn.
std::vector<int> tears(const ShownRun& run) {
  std::vector<int> frames;
  for (int frame = 1; frame < run.frames(); ++frame)
    if (run.bodies_in(frame)->since() == frame) frames.push_back(frame);
  return frames;
}

class TornRun : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { run_scene(out_, GetParam(), 15); }

  TemporaryFolder folder_;
  fs::path out_ = folder_ / "out";
};

TEST_P(TornRun, HasAMeshForTheFramesFromEachTearOn) {
  const ShownRun run(out_);
  ASSERT_FALSE(tears(run).empty());
  EXPECT_LT(tears(run).front(), 15);
  for (int frame = 0; frame < run.frames(); ++frame) {
    const std::string mesh_bytes = run.mesh(frame), frame_bytes = run.frame(frame);
    const ContainerReader mesh(mesh_bytes, "mesh"), positions(frame_bytes, "frame");
    const size_t vertices = run.bodies_in(frame)->surface().vertex_of.size();
    const std::string count = "\"vertices\":" + std::to_string(vertices) + ",";
    EXPECT_NE(mesh.members().find(count), std::string::npos) << mesh.members();
    EXPECT_EQ(positions.u16("positions").size(), 3 * vertices) << frame;
    const std::string bodies = "\"bodies\":" + std::to_string(run.bodies_in(frame)->since()) + ",";
    EXPECT_NE(mesh.members().find(bodies), std::string::npos) << mesh.members();
    EXPECT_NE(positions.members().find(bodies), std::string::npos) << positions.members();
    for (const std::uint32_t corner : mesh.u32("triangles")) EXPECT_LT(corner, vertices);
  }
  EXPECT_NE(run.mesh(0), run.mesh(14));
}

TEST_P(TornRun, HasValuesForEveryVertexOfEveryFrame) {
  const ShownRun run(out_);
  for (int frame = 0; frame < run.frames(); ++frame)
    for (const char* field : {"displacement", "speed", "stretch", "inverted", "energy-density"}) {
      const std::vector<float> values = values_of(run, field, frame);
      EXPECT_EQ(values.size(), run.bodies_in(frame)->surface().vertex_of.size()) << field << frame;
      for (const float value : values) EXPECT_TRUE(std::isfinite(value) && value >= 0) << field << frame;
    }
}

/// The end that is pulled goes with 2 m/s whatever tears beside it, and the other one stays.
TEST_P(TornRun, FollowsVerticesThroughTears) {
  const ShownRun run(out_);
  for (int frame = 1; frame < run.frames(); ++frame) {
    const std::vector<float> speed = values_of(run, "speed", frame),
                             way = values_of(run, "displacement", frame);
    const ShownBodies& bodies = *run.bodies_in(frame);
    const ShownSurface::Part part = bodies.surface().parts[0];
    int ends = 0;
    for (size_t v = part.first_vertex; v < part.first_vertex + part.vertices; ++v) {
      const double x = bodies.bodies()[0].rest.vertices[bodies.surface().vertex_of[v]].x();
      if (std::abs(x) < 0.49) continue;
      ++ends;
      EXPECT_NEAR(speed[v], x > 0 ? 2 : 0, 1e-3) << frame;
      EXPECT_NEAR(way[v], x > 0 ? 2.0 * frame / 30 : 0, 1e-4) << frame;
    }
    EXPECT_GT(ends, 4);
    for (size_t v = part.vertices; v < way.size(); ++v) EXPECT_NEAR(way[v], 0, 1e-3);
  }
}

/// As steps.csv says it was after the step, with what had torn taken out.
TEST_P(TornRun, EnergiesAddUpToThatOfTheModelAfterEachTear) {
  const ShownRun run(out_);
  const EnergyDensity start(read_file(out_ / "scene.toml"), out_ / "scene.toml", run.folder().bodies());
  const std::string bytes = run.steps().from(0);
  const std::vector<double> elastic = ContainerReader(bytes, "steps").f64("elastic");
  ASSERT_EQ(std::ssize(elastic), run.frames() - 1);
  for (const int frame : tears(run)) {
    std::vector<float> positions;
    for (const Vec3& x : run.folder().frame(frame))
      for (int c = 0; c < 3; ++c) positions.push_back(static_cast<float>(x[c]));
    const std::vector<double> energies = run.bodies_in(frame)->energy(start).energies(positions);
    const double expected = elastic[static_cast<size_t>(frame) - 1];
    ASSERT_GT(expected, 0);
    EXPECT_NEAR(std::accumulate(energies.begin(), energies.end(), 0.0), expected, 1e-3 * expected) << frame;
  }
}

TEST_P(TornRun, OriginsAreOfTheSamePlaceAtRest) {
  const ShownRun run(out_);
  const ShownBodies& last = *run.bodies_in(14);
  const std::vector<Vec3>& start = run.folder().bodies()[0].rest.vertices;
  for (std::uint32_t v = 0; v < last.bodies()[0].rest.vertices.size(); ++v)
    EXPECT_EQ(last.bodies()[0].rest.vertices[v], start[last.origin(v)]);
}

TEST_P(TornRun, KinOfAVertexIsTheNearestOfThoseThatComeFromTheSame) {
  const ShownRun run(out_);
  const int tear = tears(run).back();
  const auto here = run.bodies_in(tear), there = run.bodies_in(tear - 1);
  const std::vector<float> at = run.positions(tear), was = run.positions(tear - 1);
  const std::vector<std::int32_t> kin =
      find_kin({*here, here->surface().vertex_of, at}, {*there, there->surface().vertex_of, was});
  int known = 0;
  for (size_t v = 0; v < kin.size(); ++v) {
    if (kin[v] < 0) continue;
    ++known;
    const auto k = static_cast<size_t>(kin[v]);
    EXPECT_EQ(here->origin(here->surface().vertex_of[v]), there->origin(there->surface().vertex_of[k]));
  }
  EXPECT_GT(known, std::ssize(kin) / 2);
}

TEST_P(TornRun, ReportHasAMeshForEachTear) {
  const ShownRun run(out_);
  const ReportFilm film = report_film(run, 1);
  ASSERT_EQ(film.meshes.size(), tears(run).size() + 1);
  const ContainerReader frames(film.frames, "frames");
  size_t bytes = 0, torn = 0;
  for (int frame = 0; frame < run.frames(); ++frame) {
    bytes += 3 * run.bodies_in(frame)->surface().vertex_of.size();
    if (run.bodies_in(frame)->since() == frame && frame > 0)
      torn += run.bodies_in(frame)->surface().vertex_of.size();
  }
  EXPECT_EQ(frames.u8("low_bytes").size(), bytes);
  EXPECT_EQ(frames.u32("before").size(), torn);
  // With frames left out between two tears the meshes between them are left out as well.
  EXPECT_LT(report_film(run, 15).meshes.size(), 3U);
  write_report({{out_}, folder_ / "report.html", 0, {}});
  EXPECT_TRUE(fs::exists(folder_ / "report.html"));
}

TEST_P(TornRun, ReadsNoTornBodyThatLeadsOutOfTheFolderOrIsTooLarge) {
  const int tear = tears(ShownRun(out_)).front();
  const fs::path file = torn_body_path(out_, tear, "pulled");
  const std::string whole = read_file(file);
  const ShownRun opened(out_);
  fs::rename(file, folder_ / "elsewhere.vtu");
  fs::create_symlink(folder_ / "elsewhere.vtu", file);
  EXPECT_ERROR(InputError, "leads out of the run folder", ShownRun{out_});
  EXPECT_ERROR(InputError, "leads out of the run folder", opened.frame(tear));
  fs::remove(file);
  write_file_atomically(file, whole);
  fs::resize_file(file, kMostMeshBytes + 1);
  EXPECT_ERROR(InputError, "MB that a run writes at most", ShownRun{out_});
  EXPECT_ERROR(InputError, "MB that a run writes at most", opened.mesh(tear));
  write_file_atomically(file, whole);
  EXPECT_NO_THROW(opened.frame(tear));
  // Cut off, it is a message of the frames that have it.
  fs::resize_file(file, whole.size() / 2);
  const ShownRun damaged(out_);
  EXPECT_ERROR(InputError, "pulled.vtu", damaged.frame(tear));
  EXPECT_NO_THROW(damaged.frame(0));
}

INSTANTIATE_TEST_SUITE_P(Of, TornRun, ::testing::Values(kStrip, kBar),
                         [](const auto& given) { return given.index == 0 ? "AStrip" : "ABar"; });

ComparisonRow row(const std::string& name, bool is_reference) {
  ComparisonRow row;
  row.member.name = name;
  row.member.is_reference = is_reference;
  row.member.reference = 1;
  row.member.frames = 15;
  row.member.frame_rate = 30;
  row.result.complete = row.result.finished = true;
  return row;
}

TEST(TornComparison, HasNoDistance) {
  const TemporaryFolder folder;
  run_scene(folder / "torn", kStrip, 15);
  run_scene(folder / "whole", kStrip, 15);
  fs::remove_all(folder / "whole/bodies/");
  std::vector<ComparisonRow> rows = {row("torn", false), row("whole", true)};
  EXPECT_EQ(first_torn_frame(folder / "whole"), std::nullopt);
  const int first = *first_torn_frame(folder / "torn");
  EXPECT_GT(first, 0);
  measure(rows, folder / ".");
  EXPECT_FALSE(rows[0].distance);
  EXPECT_NE(rows[0].note.find("no distance: bodies have torn, from frame " + std::to_string(first) + " on"),
            std::string::npos)
      << rows[0].note;
}

}  // namespace
}  // namespace pliant::torn_run_test
