#include "pliant/view/report.hpp"

#include <zlib.h>

#include <random>

#include "errors.hpp"
#include "pliant/base/error.hpp"
#include "pliant/view/container.hpp"
#include "pliant/view/page.hpp"
#include "pliant/view/report_frames.hpp"
#include "runs.hpp"

namespace pliant::report_test {
namespace {

/// What a page does with a report's data.
std::string unpacked(const std::string& report) {
  const std::string open = R"(<script type="text/plain" id="pliant-data">)";
  const size_t begin = report.find(open) + open.size();
  const std::string text = report.substr(begin, report.find("</script>", begin) - begin);
  EXPECT_EQ(text.size() % 4, 0U);
  std::string deflated;
  unsigned group = 0, bits = 0;
  for (const char c : text) {
    const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    if (c == '=') break;
    group = group << 6U | static_cast<unsigned>(digits.find(c));
    if ((bits += 6) < 8) continue;
    deflated += static_cast<char>(group >> (bits -= 8));
  }
  std::string bytes(size_t{64} << 20, '\0');
  z_stream stream{};
  inflateInit2(&stream, -MAX_WBITS);
  stream.next_in = reinterpret_cast<Bytef*>(deflated.data());
  stream.avail_in = static_cast<uInt>(deflated.size());
  stream.next_out = reinterpret_cast<Bytef*>(bytes.data());
  stream.avail_out = static_cast<uInt>(bytes.size());
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  bytes.resize(stream.total_out);
  inflateEnd(&stream);
  return bytes;
}

/// As report.hpp says.
std::vector<std::vector<std::uint16_t>> decoded(std::string_view low, std::string_view high,
                                                size_t vertices) {
  std::vector<std::vector<std::uint16_t>> q(low.size() / (3 * vertices),
                                            std::vector<std::uint16_t>(3 * vertices));
  for (size_t n = 0; n < q.size(); ++n)
    for (size_t c = 0; c < 3; ++c) {
      int e = 0;
      for (size_t v = 0; v < vertices; ++v) {
        const size_t i = (3 * n + c) * vertices + v, at = 3 * v + c;
        const int z = static_cast<unsigned char>(low[i]) + 256 * static_cast<unsigned char>(high[i]);
        e += z % 2 == 1 ? -(z + 1) / 2 : z / 2;
        q[n][at] = static_cast<std::uint16_t>(e + (n == 0   ? 0
                                                   : n == 1 ? q[0][at]
                                                            : 2 * q[n - 1][at] - q[n - 2][at]));
      }
    }
  return q;
}

TEST(FrameCoder, IsUndoneByWhatThePageDoes) {
  std::mt19937 random(3);
  constexpr size_t kVertices = 50;
  std::vector<std::vector<std::uint16_t>> frames(6, std::vector<std::uint16_t>(3 * kVertices));
  FrameCoder coder(kVertices);
  for (auto& frame : frames) {
    for (std::uint16_t& value : frame) value = static_cast<std::uint16_t>(random());
    coder.add(frame);
  }
  const auto text = [](const std::vector<std::uint8_t>& bytes) {
    return std::string(bytes.begin(), bytes.end());
  };
  EXPECT_EQ(decoded(text(coder.low_bytes()), text(coder.high_bytes()), kVertices), frames);
}

TEST(Report, HoldsTheRunsAndTheComparison) {
  const TemporaryFolder folder;
  run_fake(folder / "a", 6);
  run_fake(folder / "b", 2);
  const Comparison comparison{{"name", "seconds"}, {{"</script><b>", "1"}}, {{"a", 1, 1e-3}}};
  write_report({{folder / "a", folder / "b"}, folder / "report.html", 2, comparison});
  const std::string report = read_file(folder / "report.html");
  EXPECT_EQ(report.find(kDataMarker), std::string::npos);
  const std::string bytes = unpacked(report);
  const ContainerReader reader(bytes, "report");
  const std::string session(reader.u8("session"));
  for (const char* part :
       {R"("live":false)", R"("frames":4)", R"("frame_rate":12.0)", R"("folder":"a")", R"("cpu":)",
        R"("comparison":{"columns":["name","seconds"],"rows":[["</script><b>","1"]])"})
    EXPECT_NE(session.find(part), std::string::npos) << part << "\n" << session;
  EXPECT_EQ(session.find("energy-density"), std::string::npos);
  for (const char* run : {"0", "1"}) {
    EXPECT_NO_THROW(ContainerReader(reader.u8(std::string("mesh/") + run), "mesh"));
    EXPECT_NO_THROW(ContainerReader(reader.u8(std::string("steps/") + run), "steps"));
  }
}

TEST(Report, GivesPositionsBackToWithinALevelOfTheBox) {
  const TemporaryFolder folder;
  run_fake(folder / "a", 5);
  write_report({{folder / "a"}, folder / "report.html", 1, {}});
  const std::string bytes = unpacked(read_file(folder / "report.html"));
  const std::string_view part = ContainerReader(bytes, "report").u8("frames/0");
  const ContainerReader frames(part, "frames");
  const auto positions = decoded(frames.u8("low_bytes"), frames.u8("high_bytes"), 8);
  ASSERT_EQ(positions.size(), 6U);
  EXPECT_EQ(frames.f32("poses").size(), 6U * 12);
  QuantizedPositions box;
  const ShownRun run(folder / "a");
  for (int n = 0; n < 6; ++n) extend_box(run.positions(n), n == 0, box);
  for (int n = 0; n < 6; ++n) {
    const std::vector<float> exact = run.positions(n);
    for (size_t i = 0; i < exact.size(); ++i) {
      const int c = static_cast<int>(i % 3);
      const double width = box.high[c] - box.low[c];
      EXPECT_NEAR(box.low[c] + width * positions[static_cast<size_t>(n)][i] / 65535, exact[i], width / 65535);
    }
  }
}

TEST(Report, IsNotWrittenForADamagedRun) {
  const TemporaryFolder folder;
  run_fake(folder / "a", 2);
  std::filesystem::resize_file(frame_path(folder / "a", 1), 90);
  EXPECT_ERROR(InputError, "is cut off in its header",
               write_report({{folder / "a"}, folder / "report.html", 0, {}}));
  EXPECT_FALSE(std::filesystem::exists(folder / "report.html"));
  EXPECT_ERROR(InputError, "needs at least one run", write_report({{}, folder / "report.html", 0, {}}));
}

}  // namespace
}  // namespace pliant::report_test
