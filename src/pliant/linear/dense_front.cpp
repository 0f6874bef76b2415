#include "pliant/linear/dense_front.hpp"

#include <dlfcn.h>

#include <filesystem>

#include "pliant/base/parallel.hpp"

extern "C" {
void openblas_set_num_threads(int count);
char* openblas_get_config();
void dpotrf_(const char* uplo, const int* n, double* a, const int* lda, int* info);
void dtrtri_(const char* uplo, const char* diag, const int* n, double* a, const int* lda, int* info);
void dtrsm_(const char* side, const char* uplo, const char* trans, const char* diag, const int* m,
            const int* n, const double* alpha, const double* a, const int* lda, double* b, const int* ldb);
void dsyrk_(const char* uplo, const char* trans, const int* n, const int* k, const double* alpha,
            const double* a, const int* lda, const double* beta, double* c, const int* ldc);
void dgemm_(const char* transa, const char* transb, const int* m, const int* n, const int* k,
            const double* alpha, const double* a, const int* lda, const double* b, const int* ldb,
            const double* beta, double* c, const int* ldc);
}

namespace pliant {

namespace {
constexpr Index kAtOnce = 192;  ///< rows or columns of a front that a thread takes
const double kOne = 1, kMinusOne = -1;
}  // namespace

void use_one_blas_thread() { openblas_set_num_threads(1); }

std::string blas_in_use() {
  use_one_blas_thread();
  Dl_info where{};
  const bool found = dladdr(reinterpret_cast<void*>(&dgemm_), &where) != 0 && where.dli_fname;
  const std::string library =
      found ? std::filesystem::path(where.dli_fname).filename().string() : "unknown library";
  return std::string(openblas_get_config()) + " (" + library + ", 1 thread)";
}

DenseFront::DenseFront(int width, int below)
    : width_(width), below_(below), columns_(Index{width} * (width + below)), update_(Index{below} * below) {}

bool DenseFront::eliminate() {
  const int height = width_ + below_;
  int info = 0;
  dpotrf_("L", &width_, columns_.data(), &height, &info);
  if (info != 0) return false;
  parallel_chunks(below_, kAtOnce, [&](Index begin, Index end) {
    const int rows = static_cast<int>(end - begin);
    dtrsm_("R", "L", "T", "N", &rows, &width_, &kOne, columns_.data(), &height,
           columns_.data() + width_ + begin, &height);
  });
  parallel_chunks(below_, kAtOnce, [&](Index begin, Index end) {
    const int own = static_cast<int>(end - begin), rest = static_cast<int>(below_ - end);
    const double* rows = columns_.data() + width_ + begin;
    double* to = update_.data() + begin * below_ + begin;
    dsyrk_("L", "N", &own, &width_, &kMinusOne, rows, &height, &kOne, to, &below_);
    if (rest > 0)
      dgemm_("N", "T", &rest, &own, &width_, &kMinusOne, rows + own, &height, rows, &height, &kOne, to + own,
             &below_);
  });
  return true;
}

std::vector<double> DenseFront::inverse(int first, int last) const {
  const int size = last - first;
  std::vector<double> block(Index{size} * size, 0.0);
  for (int column = 0; column < size; ++column)
    for (int row = column; row < size; ++row)
      block[Index{column} * size + row] = entry(first + row, first + column);
  int info = 0;
  dtrtri_("L", "N", &size, block.data(), &size, &info);
  return block;
}

}  // namespace pliant
