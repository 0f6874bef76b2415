#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace pliant {

/// What `pliant compare` adds to a report: a table, and error against seconds.
struct Comparison {
  struct Point {
    std::string name;
    double seconds = 0;
    double error = 0;
  };
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;  ///< texts; the first column is the member's name
  std::vector<Point> points;
};

struct ReportOptions {
  std::vector<std::filesystem::path> runs;
  std::filesystem::path output;
  int every = 0;  ///< frames; 0: as few are left out as keep the file below 20 MB
  std::optional<Comparison> comparison = {};
};

/// One file to send to others: the page with the runs in it. Written under a temporary name and renamed.
/// Throws InputError where a run cannot be read, IoError where the disk fails.
///
/// At the page's marker stands
///
///     <script type="text/plain" id="pliant-data">BASE64</script>
///
/// the base64 of a raw deflate stream of a container (see ContainerWriter) with arrays of type u8:
///
///     session    JSON as of /api/session, in UTF-8. `live` is false; a run's `frames` and `frame_rate` count
///                what is in the report, so that frame n is shown at n / frame_rate; `fields` are those the
///                page computes from positions: displacement and speed
///     mesh/K     the container of /api/runs/K/mesh
///     mesh/K/J   J = 1, 2...: the same after bodies have torn, for the next span of frames: JSON parts, and
///     the
///                arrays triangle_differences and line_differences, u32, from which triangles and lines come
///                as said below with a stride of 3 and 2
///     steps/K    the container of /api/runs/K/steps?from=0
///     frames/K   a container with the JSON members first, every (frame n of the report is first + n every of
///                the run), count, spans [{frames, vertices}] one after the other with a mesh each, low and
///                high (of the box of all its frames), and the arrays
///                low_bytes, high_bytes   u8, 3 a vertex and frame: positions, coded as below
///                poses                   f32, 12 an obstacle and frame, frame by frame: 3x4 matrices by rows
///                before                  u32, one a vertex of each span but the first, differences with a
///                                        stride of 1 of: 1 + the number in the span before of the vertex
///                                        that it was, 0 where it was inside of a body
///                starts                  u16, 3 for each of those that were inside: where they were in frame
///                                        0, in the box
///
/// Positions are u16 of the box, low + (high - low) q / 65535, predicted from the two frames before and from
/// the neighbour, and split into bytes, which deflate likes best (demo: 39 % of the u16; 81 % with
/// differences of frames alone). For frame n, then component c, then vertex v, all modulo 65536:
///
///     z = low_bytes[i] + 256 high_bytes[i]         i counts on from 0
///     e += z odd ? -(z + 1) / 2 : z / 2            from e = 0 at v = 0
///     q[n][v][c] = e + (n == 0 ? 0 : n == 1 ? q[0][v][c] : 2 q[n-1][v][c] - q[n-2][v][c])
///
/// Where a span begins, q of the frames before it are those of the vertices that `before` names, and 0 where
/// it names none. Differences z with a stride s stand for the numbers
///
///     a[i] = (i < s ? 0 : a[i - s]) + (z[i] odd ? -(z[i] + 1) / 2 : z[i] / 2)
void write_report(const ReportOptions& options);

}  // namespace pliant
