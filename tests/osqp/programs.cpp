// Solves random programs, with active bounds solved for exactly and by splitting alone, and prints them with
// their answers, one a line, as JSON.
#include "contact/programs.hpp"

#include <cstdio>

namespace {

using namespace pliant;

void print(const char* name, const auto& numbers, const char* end) {
  std::printf("\"%s\": [", name);
  for (Eigen::Index i = 0; i < numbers.size(); ++i)
    std::printf("%s%.17g", i > 0 ? ", " : "", numbers.data()[i]);
  std::printf("]%s", end);
}

void solve_and_print(const char* name, const testing::Program& program,
                     const QuadraticProgram::Options& options, const char* end) {
  Vector v = Vector::Zero(program.size()), impulses;
  const ProgramReport report = program.solve(v, impulses, options);
  std::printf("\"%s\": {\"infeasible\": %s, \"solved\": %s, ", name,
              report.status == ProgramReport::Status::infeasible ? "true" : "false",
              report.status == ProgramReport::Status::solved ? "true" : "false");
  print("v", v, "}");
  std::printf("%s", end);
}

}  // namespace

int main() {
  for (unsigned seed = 0; seed < 40; ++seed) {
    testing::Program program(1 + static_cast<int>(seed % 4));
    program.add_random(5 * (1 + static_cast<int>(seed % 4)), seed);
    if (seed % 2 == 0)  // friction, some of which holds
      for (size_t row = 0; row < program.bounds.size(); row += 2)
        program.bounds[row].limit = (row % 4 == 0 ? 50 : 2) * (row % 3 == 0 ? 1000 : 1);
    if (seed % 10 == 9) {  // to the right of 1 and to the left of 0
      testing::BoundRow bound;
      bound.vertices[0] = 0;
      bound.least = 1;
      bound.coefficients[0] = Vec3::UnitX();
      program.bounds.push_back(bound);
      bound.coefficients[0] = -Vec3::UnitX();
      bound.least = 0;
      program.bounds.push_back(bound);
    }
    std::printf("{");
    print("C", program.dense(), ", ");  // symmetric: by rows or columns is the same
    print("c", program.c, ", ");
    print("G", Eigen::Matrix<double, -1, -1, Eigen::RowMajor>(program.G()), ", ");
    print("least", program.least(), ", ");
    print("limit", program.limit(), ", ");
    solve_and_print("exact", program, {}, ", ");
    solve_and_print("split", program, {.tolerance = 1e-9, .exact = false}, "}\n");
  }
}
