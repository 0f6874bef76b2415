#include "pliant/linear/kept_factor.hpp"

#include <algorithm>
#include <cmath>
#include <future>
#include <utility>

#include "pliant/base/error.hpp"
#include "pliant/base/text.hpp"

namespace pliant {

namespace {

using Arrays = std::map<std::string, Vector>;

constexpr const char* kPrefix = "factor.";

std::string array_name(size_t number, const char* what) { return format("{}{}.{}", kPrefix, number, what); }

Vector numbers(const std::vector<int>& values) {
  Vector all(std::ssize(values));
  for (Index i = 0; i < all.size(); ++i) all[i] = values[i];
  return all;
}

[[noreturn]] void refuse() {
  throw InputError("the state of what has torn is damaged; start again with --overwrite");
}

const Vector& array(const std::string& name, const Arrays& arrays) {
  const auto found = arrays.find(name);
  if (found == arrays.end() || !found->second.allFinite()) refuse();
  return found->second;
}

/// Whole numbers from 0 to below `end`.
std::vector<int> integers(const Vector& values, int end) {
  std::vector<int> all(static_cast<size_t>(values.size()));
  for (Index i = 0; i < values.size(); ++i) {
    if (!(values[i] >= 0 && values[i] < end)) refuse();
    all[i] = static_cast<int>(values[i]);
  }
  return all;
}

BlockPattern pattern_of(const Vector& coordinates, const Vector& couples) {
  if (coordinates.size() % 3 != 0 || couples.size() % 2 != 0) refuse();
  const int rows = static_cast<int>(coordinates.size() / 3);
  const std::vector<int> ends = integers(couples, rows);
  std::vector<std::pair<int, int>> edges;
  for (size_t k = 0; k < ends.size(); k += 2) {
    if (ends[k] == ends[k + 1]) refuse();
    edges.emplace_back(ends[k], ends[k + 1]);
  }
  std::vector<Vec3> points;
  for (Index i = 0; i < rows; ++i) points.emplace_back(coordinates.segment<3>(3 * i));
  return BlockPattern(rows, edges, std::move(points));
}

}  // namespace

/// A matrix of its own, which the model that it came from need not outlive, and its factor.
struct KeptFactor::Version {
  explicit Version(const BlockPattern& of) : pattern(of), matrix(pattern) {}
  explicit Version(const ScalarMatrix& of) : Version(of.pattern()) {
    for (Index k = 0; k < pattern.blocks(); ++k) matrix[k] = of[k];
  }

  bool has_torn() const { return !ancestor.empty(); }

  bool is_of(const ScalarMatrix& other) const {
    if (has_torn() || other.rows() != pattern.rows() || other.pattern().blocks() != pattern.blocks())
      return false;
    for (int row = 0; row < pattern.rows(); ++row)
      if (!std::ranges::equal(pattern.columns_of(row), other.pattern().columns_of(row))) return false;
    for (Index k = 0; k < pattern.blocks(); ++k)
      if (matrix[k] != other[k]) return false;
    return true;
  }

  void put(const std::string& name, Arrays& arrays) const {
    std::vector<int> pairs;
    for (int row = 0; row < pattern.rows(); ++row)
      for (const int column : pattern.columns_of(row).subspan(1)) {
        pairs.push_back(pattern.vertex(row));
        pairs.push_back(column);
      }
    Vector points(3 * std::ssize(pattern.points())), values(pattern.blocks());
    for (Index i = 0; i < std::ssize(pattern.points()); ++i) points.segment<3>(3 * i) = pattern.points()[i];
    for (Index k = 0; k < values.size(); ++k) values[k] = matrix[k];
    arrays[name + ".pairs"] = numbers(pairs);
    arrays[name + ".points"] = std::move(points);
    arrays[name + ".values"] = std::move(values);
    arrays[name + ".ancestor"] = numbers(ancestor);
  }

  static std::unique_ptr<Version> taken(const std::string& name, const Arrays& arrays, int vertices) {
    const Vector& values = array(name + ".values", arrays);
    auto version = std::make_unique<Version>(
        pattern_of(array(name + ".points", arrays), array(name + ".pairs", arrays)));
    const int rows = version->pattern.rows();
    if (values.size() != version->pattern.blocks()) refuse();
    for (Index k = 0; k < values.size(); ++k) version->matrix[k] = values[k];
    version->ancestor = integers(array(name + ".ancestor", arrays), rows);
    if (version->ancestor.empty() ? rows != vertices : std::ssize(version->ancestor) != vertices) refuse();
    return version;
  }

  void tear(const std::vector<int>& origin) {
    std::vector<int> older = origin;
    if (!ancestor.empty())
      for (int& vertex : older) vertex = ancestor[vertex];
    ancestor = std::move(older);
  }

  BlockPattern pattern;
  ScalarMatrix matrix;
  ConstantFactor factor{ConstantFactor::Precision::single};
  std::vector<int> ancestor;  ///< of each vertex now, its number in the matrix; empty where that is its own
};

/// For one length of a stage.
struct KeptFactor::Kept {
  explicit Kept(double of) : weight(of) {}

  bool factor_now(std::unique_ptr<Version> version) {
    used = version->factor.factor(version->matrix) ? std::move(version) : nullptr;
    return used != nullptr;
  }

  void factor_in_background(std::unique_ptr<Version> version, int steps) {
    pending = std::move(version);
    left = steps;
    ready = std::async(std::launch::async, [of = pending.get()] { return of->factor.factor(of->matrix); });
  }

  /// Of the vertices now, those that share an ancestor.
  void find_split() {
    split.clear();
    std::vector<int> shares(static_cast<size_t>(used->matrix.rows()), 0);
    for (const int vertex : used->ancestor) ++shares[vertex];
    for (size_t i = 0; i < used->ancestor.size(); ++i)
      if (shares[used->ancestor[i]] > 1) split.push_back(static_cast<int>(i));
  }

  double weight;  ///< of inertia
  std::unique_ptr<Version> used, pending;
  std::future<bool> ready;  ///< whether the pending one is definite; its end is waited for before that goes
  int left = 0;             ///< steps until the pending one is used
  int number = -1;          ///< of the objective's matrix; -1 where it may be another one
  Field diagonal;
  std::vector<int> split;  ///< vertices that were one with others when the factor was made
};

KeptFactor::KeptFactor(int steps) : steps_(steps) {}
KeptFactor::~KeptFactor() = default;

KeptFactor::Kept& KeptFactor::of_weight(double weight) {
  constexpr size_t kMost = 4;
  const auto found = std::ranges::find_if(kept_, [&](const auto& kept) { return kept->weight == weight; });
  if (found != kept_.end()) {
    std::rotate(kept_.begin(), found, found + 1);
  } else {
    if (kept_.size() == kMost) kept_.pop_back();
    kept_.push_front(std::make_unique<Kept>(weight));
  }
  return *kept_.front();
}

bool KeptFactor::begin(int number, double weight, FunctionRef<ScalarMatrix()> make_matrix) {
  Kept& kept = of_weight(weight);
  if (kept.used && kept.number == number) return true;
  const ScalarMatrix matrix = make_matrix();
  const Vector once = matrix.diagonal();
  Vector& diagonal = kept.diagonal.host();
  diagonal.resize(3 * once.size());
  for (Index d = 0; d < diagonal.size(); ++d) diagonal[d] = once[d / 3];
  if (!kept.used || (!kept.pending && !kept.used->is_of(matrix))) {
    auto version = std::make_unique<Version>(matrix);
    if (kept.used && kept.used->has_torn())
      kept.factor_in_background(std::move(version), steps_);
    else if (!kept.factor_now(std::move(version)))
      return false;
  }
  kept.find_split();
  kept.number = number;
  return true;
}

const Field& KeptFactor::diagonal() const { return kept_.front()->diagonal; }

void KeptFactor::solve(const Field& of, Field& to) {
  const Vector& b = of.host();
  Vector& x = to.host();
  const Kept& kept = *kept_.front();
  const std::vector<int>& ancestor = kept.used->ancestor;
  if (ancestor.empty()) return kept.used->factor.solve(b, x);
  merged_.setZero(3 * Index{kept.used->matrix.rows()});
  for (Index i = 0; i < std::ssize(ancestor); ++i)
    merged_.segment<3>(3 * Index{ancestor[i]}) += b.segment<3>(3 * i);
  kept.used->factor.solve(merged_, solved_);
  x.resize(b.size());
  for (Index i = 0; i < std::ssize(ancestor); ++i)
    x.segment<3>(3 * i) = solved_.segment<3>(3 * Index{ancestor[i]});
  for (const Index i : kept.split)
    x.segment<3>(3 * i) += b.segment<3>(3 * i).cwiseQuotient(kept.diagonal.host().segment<3>(3 * i));
}

void KeptFactor::tear(const std::vector<int>& origin) {
  for (const auto& kept : kept_) {
    if (kept->used) kept->used->tear(origin);
    if (kept->pending) kept->pending->tear(origin);
    kept->number = -1;
  }
}

void KeptFactor::step_done() {
  for (const auto& kept : kept_) {
    if (!kept->pending || --kept->left > 0) continue;
    const bool definite = kept->ready.get();
    kept->used = std::move(kept->pending);
    if (!definite) kept->used.reset();
    kept->number = -1;  // what has torn since is next
  }
}

void KeptFactor::save(Arrays& arrays) const {
  // One of what is there now is made again from that, also where what is held changes.
  const auto is_plain = [](const auto& kept) {
    return !kept->used || (!kept->used->has_torn() && !kept->pending);
  };
  if (kept_.size() <= 1 && std::ranges::all_of(kept_, is_plain)) return;
  size_t number = 0;
  for (const auto& kept : kept_) {
    if (!kept->used) continue;
    kept->used->put(array_name(number, "used"), arrays);
    if (kept->pending) kept->pending->put(array_name(number, "pending"), arrays);
    arrays[array_name(number++, "state")] =
        Vector{{kept->weight, kept->pending ? static_cast<double>(kept->left) : 0.0}};
  }
}

void KeptFactor::take(Arrays& arrays, int vertices) {
  kept_.clear();
  const auto is_ours = [](const auto& array) { return array.first.starts_with(kPrefix); };
  const bool any = std::ranges::any_of(arrays, is_ours);
  for (size_t number = 0; any && (number == 0 || arrays.contains(array_name(number, "state"))); ++number) {
    const Vector& state = array(array_name(number, "state"), arrays);
    if (state.size() != 2 || !(state[1] >= 0 && state[1] <= steps_)) refuse();
    auto kept = std::make_unique<Kept>(state[0]);
    if (!kept->factor_now(Version::taken(array_name(number, "used"), arrays, vertices))) refuse();
    if (state[1] > 0) {
      kept->factor_in_background(Version::taken(array_name(number, "pending"), arrays, vertices), steps_);
      kept->left = static_cast<int>(state[1]);
    }
    kept_.push_back(std::move(kept));
  }
  std::erase_if(arrays, is_ours);
}

}  // namespace pliant
