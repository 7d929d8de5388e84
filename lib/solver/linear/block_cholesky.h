// Sparse Cholesky of a block matrix with dense blocks of the trees' own size: left-looking, by supernodes of
// trees, no outside library.
#pragma once

#include <vector>

#include "solver/linear/aligned_buffer.h"
#include "solver/linear/linear_solver.h"
#include "solver/linear/panel_layout.h"
#include "solver/linear/symbolic_cholesky.h"

namespace csim {

/// P H P^T = L L^T. Order and structure come from the graph of trees (`SymbolicCholesky`); the numbers are
/// computed panel by panel: gather H's columns, subtract the products of all earlier panels with rows in this
/// one, factor the panel. Trees of more than eight rows are cut into chunks. The bits depend on the matrix
/// and the instruction set alone.
class BlockCholesky final : public LinearSolver {
 public:
  void analyze(const BlockSymmetricMatrix& H) override;
  [[nodiscard]] bool factor(const BlockSymmetricMatrix& H) override;
  [[nodiscard]] bool factor_and_solve(const BlockSymmetricMatrix& H, double* x) override;
  void solve(double* x) override;
  [[nodiscard]] long factor_nonzeros() const override { return structure_.nonzeros; }

  /// Order, supernodes and work of the present pattern.
  [[nodiscard]] const SupernodalStructure& structure() const { return structure_; }

 private:
  template <typename AfterPanel>
  bool factor_panels(const BlockSymmetricMatrix& H, AfterPanel&& after_panel);
  void gather(const BlockSymmetricMatrix& H, const Panel& panel);
  void subtract_earlier_panel(const Update& update, const Panel& panel);
  [[nodiscard]] bool factor_panel(const Panel& panel);
  void spread(const double* x);
  void finish_solve(double* x);
  [[nodiscard]] bool begins_with_zeros(const Panel& panel) const;
  void solve_forward(const Panel& panel);
  void solve_backward(const Panel& panel);

  KnownPattern pattern_;
  bool factored_ = false;
  SymbolicCholesky symbolic_;
  SupernodalStructure structure_;
  PanelLayout layout_;

  AlignedBuffer values_;                  // the panels of L
  std::vector<double> inverse_diagonal_;  // 1 / l_jj by column of L
  std::vector<int> strip_of_;             // of a chunk: its strip in the panel being computed
  AlignedBuffer padded_;                  // a right-hand side, one strip a chunk
  std::vector<double> solved_;            // the same without gaps, by column of L
};

}  // namespace csim
