#include "pliant/run/checkpoint.hpp"

#include <random>

#include "errors.hpp"
#include "fake_simulation.hpp"
#include "pliant/base/error.hpp"

namespace pliant::checkpoint_test {
namespace {

Checkpoint sample() {
  Checkpoint checkpoint;
  checkpoint.scene_hash = 0x1234567890abcdefULL;
  checkpoint.build = "0.1.0; this one";
  checkpoint.steps_length = 4711;
  checkpoint.totals.frames = 12;
  checkpoint.totals.steps = 24;
  checkpoint.totals.steps_converged = 23;
  checkpoint.totals.seconds.linear_solve = 1.5;
  checkpoint.totals.energies.add("elastic", 0.1);
  checkpoint.totals.failures.push_back({7, 0.25, "stalled", "ball", 3, 1e-3, "why"});
  checkpoint.state.time = 1.0 / 3;
  checkpoint.state.x = Vector::LinSpaced(30, -1, 1.0 / 7);
  checkpoint.state.v = Vector::LinSpaced(30, 0, 3);
  checkpoint.state.arrays["empty"] = StateArray::of_whole(Vector(0));
  checkpoint.state.keep_number("length", 0.1);
  checkpoint.state.keep("history", Vector::Constant(30, 0.1));
  checkpoint.state.forget_vertices(std::vector{3, 7});
  checkpoint.state.arrays["pairs"] = {.of = EntryOf::list,
                                      .width = 2,
                                      .values = Vector::LinSpaced(6, 0, 1),
                                      .holds = {1, 0, 1},
                                      .ids = {4, 5, 1LL << 40}};
  return checkpoint;
}

void expect_equal(const Checkpoint& a, const Checkpoint& b) { EXPECT_EQ(encode(a), encode(b)); }

std::string complaint_about(const std::string& bytes) {
  try {
    decode(bytes, "checkpoint.bin");
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

TEST(Checkpoint, GivesBackEveryBitOfTheState) {
  const Checkpoint before = sample();
  const Checkpoint after = decode(encode(before), "");
  EXPECT_EQ(after.state, before.state);
}

TEST(Checkpoint, GivesBackEnergiesByTheirNames) {
  Checkpoint before = sample();
  before.totals.energies.kinetic = 3;
  before.totals.energies.add("contact", 5);
  const std::string usual = encode(before);
  before.totals.energies.add("load", 7);
  before.totals.energies.add("pressure", 11);
  const Checkpoint after = decode(encode(before), "");
  EXPECT_EQ(after.totals.energies.potentials, before.totals.energies.potentials);
  EXPECT_EQ(after.totals.energies.total(), before.totals.energies.total());
  EXPECT_EQ(decode(usual, "").totals.energies.potentials.size(), Energies::kUsual);
}

TEST(Checkpoint, GivesBackTotalsAndIdentity) {
  const Checkpoint after = decode(encode(sample()), "");
  EXPECT_EQ(after.scene_hash, sample().scene_hash);
  EXPECT_EQ(after.build, sample().build);
  EXPECT_EQ(after.steps_length, 4711U);
  EXPECT_EQ(after.totals.frames, 12);
  EXPECT_EQ(after.totals.failed_steps(), 1);
  EXPECT_EQ(after.totals.seconds.linear_solve, 1.5);
  EXPECT_EQ(after.totals.energies.of("elastic"), 0.1);
  ASSERT_EQ(after.totals.failures.size(), 1U);
  EXPECT_EQ(after.totals.failures[0].message, "why");
}

TEST(Checkpoint, RefusesAnotherFile) {
  EXPECT_EQ(complaint_about("name = \"scene\"\nand more than enough text"),
            "checkpoint.bin: not a checkpoint");
}

TEST(Checkpoint, RefusesAnotherFormat) {
  std::string bytes = encode(sample());
  bytes[8] = 3;
  EXPECT_EQ(complaint_about(bytes),
            "checkpoint.bin: the checkpoint has format 3, this program reads format 4; resume with the build "
            "that started the run, or start again with --overwrite");
}

TEST(Checkpoint, RefusesArraysThatDoNotFitWhatTheyBelongTo) {
  const auto complaint = [](auto&& damage) {
    Checkpoint checkpoint = sample();
    damage(checkpoint.state);
    return complaint_about(encode(checkpoint));
  };
  const std::string expected =
      "checkpoint.bin: the arrays of the checkpoint do not fit its vertices; the file is damaged";
  EXPECT_EQ(complaint([](State&) {}), "none");
  EXPECT_EQ(complaint([](State& state) { state.v.resize(27); }), expected);
  EXPECT_EQ(complaint([](State& state) { state.keep("history", Vector::Zero(27)); }), expected);
  EXPECT_EQ(complaint([](State& state) { state.arrays["history"].width = 2; }), expected);
  EXPECT_EQ(complaint([](State& state) { state.arrays["history"].ids = {1}; }), expected);
  EXPECT_EQ(complaint([](State& state) { state.arrays["length"].holds = {1, 1}; }), expected);
  EXPECT_EQ(complaint([](State& state) { state.arrays["pairs"].ids = {4, 4, 5}; }), expected);
}

TEST(Checkpoint, RefusesAnyTruncation) {
  const std::string bytes = encode(sample());
  for (size_t length = 0; length < bytes.size(); ++length)
    EXPECT_ERROR(InputError, length < 8 ? "not a checkpoint" : "the file is damaged",
                 decode(bytes.substr(0, length), ""))
        << length;
}

TEST(Checkpoint, RefusesAnyFlippedBit) {
  const std::string bytes = encode(sample());
  for (size_t i = 0; i < bytes.size(); ++i) {
    std::string mutated = bytes;
    mutated[i] = static_cast<char>(mutated[i] ^ (1 << (i % 8)));
    EXPECT_ERROR(InputError,
                 i < 8    ? "not a checkpoint"
                 : i < 12 ? "the checkpoint has format"
                          : "the file is damaged",
                 decode(mutated, ""))
        << i;
  }
}

/// Changes, cuts out, repeats or inserts a few sub-models.
std::string mutate(std::string bytes, std::mt19937& random) {
  const auto below = [&](size_t n) { return std::uniform_int_distribution<size_t>(0, n - 1)(random); };
  for (size_t rounds = 1 + below(3); rounds > 0 && !bytes.empty(); --rounds) {
    const size_t at = below(bytes.size());
    switch (below(4)) {
      case 0:
        bytes[at] = static_cast<char>(below(256));
        break;
      case 1:
        bytes.erase(at, below(16));
        break;
      case 2:
        bytes.insert(at, bytes.substr(at, below(16)));
        break;
      case 3:
        bytes.replace(at, 8, std::string(8, static_cast<char>(0xff >> below(8))));
        break;
    }
  }
  return bytes;
}

TEST(Checkpoint, AcceptsNoMutationThatIsNotTheOriginal) {
  std::mt19937 random(1);
  const std::string bytes = encode(sample());
  for (int i = 0; i < 20000; ++i) {
    try {
      expect_equal(decode(mutate(bytes, random), ""), sample());
    } catch (const InputError&) {
    }
  }
}

TEST(Checkpoint, StaysInBoundsWhereTheChecksumFitsTheDamage) {
  std::mt19937 random(2);
  const std::string bytes = encode(sample());
  int accepted = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string mutated = mutate(bytes.substr(0, bytes.size() - 8), random);
    const std::uint64_t sum = checkpoint_sum(mutated);
    mutated.append(reinterpret_cast<const char*>(&sum), sizeof sum);
    try {
      const Checkpoint read = decode(mutated, "");
      EXPECT_LE(static_cast<size_t>(read.state.x.size()) * sizeof(double), mutated.size());
      ++accepted;
    } catch (const InputError&) {
    }
  }
  EXPECT_GT(accepted, 100);  // otherwise the checksum was not mended and nothing was tested
}

TEST(Checkpoint, RefusesAnotherScene) {
  EXPECT_ERROR(InputError, "started from another scene", require_same(sample(), 1, sample().build, ""));
}

TEST(Checkpoint, RefusesAnotherBuildAndNamesBoth) {
  try {
    require_same(sample(), sample().scene_hash, "0.2.0; that one", "");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("0.1.0; this one"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("0.2.0; that one"), std::string::npos);
  }
}

TEST(SceneHash, DoesNotDependOnTheDuration) {
  Simulation a = fake_simulation(), b = fake_simulation();
  b.scene_text = "name = \"Fake\"\nduration = 2.5\n\n[time]\nscheme = \"fake\"\n";
  EXPECT_EQ(scene_hash(a), scene_hash(b));
}

TEST(SceneHash, DependsOnTheRestOfTheScene) {
  Simulation a = fake_simulation(), b = fake_simulation();
  b.scene_text += "duration = 2\n";  // in a table it means something else
  EXPECT_NE(scene_hash(a), scene_hash(b));
}

TEST(SceneHash, DependsOnTheMeshes) {
  Simulation a = fake_simulation(), b = fake_simulation();
  b.model->bodies[1].rest.vertices[2].y() += 1e-12;
  EXPECT_NE(scene_hash(a), scene_hash(b));
}

TEST(SceneHash, DependsOnTheMasses) {
  Simulation a = fake_simulation(), b = fake_simulation();
  b.model->mass[3] *= 2;
  EXPECT_NE(scene_hash(a), scene_hash(b));
}

}  // namespace
}  // namespace pliant::checkpoint_test
