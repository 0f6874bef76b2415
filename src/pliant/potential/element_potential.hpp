#pragma once

#include <mutex>
#include <optional>

#include "pliant/potential/capabilities.hpp"
#include "pliant/potential/element_scatter.hpp"
#include "pliant/potential/element_table.hpp"
#include "pliant/potential/potential.hpp"
#include "pliant/potential/stencils.hpp"

namespace pliant {

/// The energy of many elements of one kind: batches in packs, coloured parallel sums, assembly into the block
/// matrix. Contributions are elements, in the order in which they were given.
class ElementPotential final : public Potential, public ConstantProxy, public Stencils {
 public:
  ElementPotential(ElementFunctions kind, const ElementList& elements)
      : ElementPotential(std::move(kind), elements, order_of_elements(elements.centers)) {}
  /// `order` is that of the elements in memory.
  ElementPotential(ElementFunctions kind, const ElementList& elements, std::vector<int> order)
      : functions_(std::move(kind)),
        table_(functions_, elements, std::move(order)),
        add_gradient_(gradient_scatter(functions_.corners, functions_.value_lanes)),
        add_blocks_(block_scatter(functions_.corners, functions_.lanes)),
        kind_{functions_.name, functions_.corners, functions_.rest, &functions_, &run_stencils} {}
  ElementPotential(const ElementPotential&) = delete;

  Index contributions() const override { return table_.count(); }
  double roundoff() const override { return roundoff_; }
  void set_roundoff(double energy) { roundoff_ = energy; }

  void evaluate(const Vector& x, std::span<double> energies, Vector* gradient) const override;
  void add_hessian(const Vector& x, Definiteness definiteness, BlockMatrix& hessian) const override;
  void add_proxy(const StretchRange& range, ScalarMatrix& proxy) const override;
  bool is_projective() const override { return functions_.projective; }
  void add_pattern(std::vector<std::pair<int, int>>& edges) const override;
  void attach(const BlockPattern& pattern) override;
  std::unique_ptr<Potential> sub_model(const SubModel& sub_model) const override;

  const StencilKind& kind() const override { return kind_; }
  Index stencils() const override { return table_.count(); }
  void copy_stencil(Index stencil, int* vertices, double* rest) const override;

 private:
  static void run_stencils(const void* functions, const StencilBatch& batch);
  std::vector<int> places_moving_with(const SubModel& sub_model) const;

  ElementFunctions functions_;
  ElementTable table_;
  GradientScatter add_gradient_;
  BlockScatter add_blocks_;
  StencilKind kind_;
  double roundoff_ = 0;
  /// For each place and block twice the block of the matrix, plus one where it lies transposed.
  LargeArray<unsigned> slots_;
  mutable std::once_flag touching_made_;
  mutable std::optional<TouchingElements> touching_;
};

}  // namespace pliant
