#include <dlfcn.h>

#include "pliant/linear/cholesky.hpp"
#include "pliant/linear/dense_front.hpp"
#include "pliant/linear/ordering.hpp"

#ifdef PLIANT_CHOLMOD
#include <suitesparse/cholmod.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace pliant {

namespace {

/// CHOLMOD starts four OpenMP threads for loops that are mostly short: they wait for each other for longer
/// than they work. The setting is one of each thread; the runtime is the one that CHOLMOD has loaded.
void keep_to_one_thread() {
  using SetLevels = void (*)(int);
  static const auto set_levels =
      reinterpret_cast<SetLevels>(dlsym(RTLD_DEFAULT, "omp_set_max_active_levels"));
  thread_local bool done = false;
  if (!done && set_levels) set_levels(0);
  done = true;
}

class CholmodCholesky final : public Cholesky {
 public:
  CholmodCholesky() {
    use_one_blas_thread();
    cholmod_start(&common_);
    common_.nmethods = 1;
    common_.method[0].ordering = CHOLMOD_METIS;
    common_.postorder = true;
    common_.supernodal = CHOLMOD_SUPERNODAL;
    common_.final_ll = true;
    common_.print = 0;
    common_.quick_return_if_not_posdef = true;
  }
  ~CholmodCholesky() override {
    forget();
    cholmod_finish(&common_);
  }
  CholmodCholesky(const CholmodCholesky&) = delete;
  CholmodCholesky& operator=(const CholmodCholesky&) = delete;

  bool factor(const BlockMatrix& A) override {
    pattern_ = &A.pattern();
    if (analysed_ != pattern_->id()) {
      forget();
      analysed_ = pattern_->id();
      fill_pattern();
      {
        const std::lock_guard lock(one_metis_at_a_time());
        factor_ = cholmod_analyze(matrix_, &common_);
      }
      check();
    }
    fill_values(A);
    keep_to_one_thread();
    cholmod_factorize(matrix_, factor_, &common_);
    check();
    return common_.status == CHOLMOD_OK && factor_->minor == factor_->n;
  }

  void solve(const Vector& b, Vector& x) override {
    x.resize(b.size());
    solve_columns(b, x);
  }

  Eigen::MatrixXd solve_all(const Eigen::MatrixXd& B) override {
    Eigen::MatrixXd X(B.rows(), B.cols());
    solve_columns(B, X);
    return X;
  }

 private:
  void solve_columns(const auto& B, auto& X) {
    in_rows_.resize(B.rows(), B.cols());
    for (int row = 0; row < pattern_->rows(); ++row)
      in_rows_.middleRows<3>(3 * Index{row}) = B.template middleRows<3>(3 * Index{pattern_->vertex(row)});
    cholmod_dense rhs{};
    rhs.nrow = rhs.d = B.rows();
    rhs.ncol = B.cols();
    rhs.nzmax = B.size();
    rhs.x = in_rows_.data();
    rhs.xtype = CHOLMOD_REAL;
    rhs.dtype = CHOLMOD_DOUBLE;
    keep_to_one_thread();
    cholmod_dense* answer = cholmod_solve(CHOLMOD_A, factor_, &rhs, &common_);
    check();
    const Eigen::Map<const Eigen::MatrixXd> solution(static_cast<const double*>(answer->x), B.rows(),
                                                     B.cols());
    for (int row = 0; row < pattern_->rows(); ++row)
      X.template middleRows<3>(3 * Index{pattern_->vertex(row)}) = solution.middleRows<3>(3 * Index{row});
    cholmod_free_dense(&answer, &common_);
  }

  /// Running out of memory must not be taken for an indefinite matrix.
  void check() const {
    if (common_.status >= CHOLMOD_OK) return;
    throw std::runtime_error(
        common_.status == CHOLMOD_OUT_OF_MEMORY
            ? "the sparse factorisation ran out of memory; use solver.method = \"newton-cg\""
            : "the sparse factorisation failed; use solver.method = \"newton-cg\"");
  }

  void forget() {
    if (matrix_) cholmod_free_sparse(&matrix_, &common_);
    if (factor_) cholmod_free_factor(&factor_, &common_);
  }

  /// The lower triangle by columns, which for a symmetric matrix is the upper triangle by rows.
  void fill_pattern() {
    const int rows = 3 * pattern_->rows();
    size_t entries = 0;
    for_each_entry([&](int, int, Index, int) { ++entries; });
    matrix_ = cholmod_allocate_sparse(rows, rows, entries, true, true, -1, CHOLMOD_REAL, &common_);
    int* start = static_cast<int*>(matrix_->p);
    int* index = static_cast<int*>(matrix_->i);
    int count = 0, last = -1;
    for_each_entry([&](int row, int column, Index, int) {
      while (last < row) start[++last] = count;
      index[count++] = column;
    });
    start[rows] = count;
  }

  void fill_values(const BlockMatrix& A) {
    double* value = static_cast<double*>(matrix_->x);
    for_each_entry([&](int, int, Index block, int entry) { *value++ = A.block(block)[entry]; });
  }

  /// visit(row, column, block, entry of the block) for column >= row, row by row in the order of the pattern.
  template <class Visit>
  void for_each_entry(Visit visit) const {
    for (int row = 0; row < pattern_->rows(); ++row) {
      const auto columns = pattern_->columns_of(row);
      for (int i = 0; i < 3; ++i)
        for (Index k = 0; k < std::ssize(columns); ++k)
          for (int j = k == 0 ? i : 0; j < 3; ++j)
            visit(3 * row + i, 3 * pattern_->row_of(columns[k]) + j, pattern_->row_start(row) + k, 3 * i + j);
    }
  }

  cholmod_common common_;
  std::uint64_t analysed_ = 0;  ///< id of the pattern that matrix_ and factor_ are for
  const BlockPattern* pattern_ = nullptr;
  cholmod_sparse* matrix_ = nullptr;
  cholmod_factor* factor_ = nullptr;
  Eigen::MatrixXd in_rows_;  ///< right-hand sides in the order of rows
};

}  // namespace

std::unique_ptr<Cholesky> make_cholesky() { return std::make_unique<CholmodCholesky>(); }

}  // namespace pliant

#else

namespace pliant {

std::unique_ptr<Cholesky> make_cholesky() { return make_eigen_cholesky(); }

}  // namespace pliant

#endif
