#include "solver/linear/supernodal.h"

#include <cholmod.h>
#include <dlfcn.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/require.h"
#include "solver/linear/blas_info.h"
#include "solver/linear/symbolic_cholesky.h"

namespace csim {
namespace {

#define CSIM_TEXT(number) #number
#define CSIM_CHOLMOD_SONAME(version) "libcholmod.so." CSIM_TEXT(version)

// The functions of the library. It is loaded when it is first asked for: with the BLAS behind it, it is half
// of all libraries of the program, and most runs do without.
struct Cholmod {
  decltype(&cholmod_start) start = nullptr;
  decltype(&cholmod_finish) finish = nullptr;
  decltype(&cholmod_analyze_p) analyze_p = nullptr;
  decltype(&cholmod_factorize) factorize = nullptr;
  decltype(&cholmod_super_lsolve) super_lsolve = nullptr;
  decltype(&cholmod_super_ltsolve) super_ltsolve = nullptr;
  decltype(&cholmod_free_factor) free_factor = nullptr;
  std::string missing;  // why it cannot be used, "" if it can

  Cholmod() {
    // The loader's choice, else the library of the build. Global, so that blas_info() finds the BLAS.
    for (const char* name : {CSIM_CHOLMOD_SONAME(CHOLMOD_MAIN_VERSION), CSIM_CHOLMOD_LIBRARY}) {
      if (library_ == nullptr) library_ = dlopen(name, RTLD_LAZY | RTLD_GLOBAL);
      if (library_ == nullptr && missing.empty()) missing = dlerror();
    }
    if (library_ == nullptr) return;
    missing.clear();
    find("cholmod_start", &start);
    find("cholmod_finish", &finish);
    find("cholmod_analyze_p", &analyze_p);
    find("cholmod_factorize", &factorize);
    find("cholmod_super_lsolve", &super_lsolve);
    find("cholmod_super_ltsolve", &super_ltsolve);
    find("cholmod_free_factor", &free_factor);
    use_one_blas_thread();
  }

 private:
  template <typename Function>
  void find(const char* name, Function* function) {
    *function = reinterpret_cast<Function>(dlsym(library_, name));
    if (*function == nullptr && missing.empty()) missing = dlerror();
  }

  void* library_ = nullptr;
};

const Cholmod& cholmod() {
  static const Cholmod library;
  return library;
}

// The library's context.
class Common {
 public:
  Common() {
    cholmod().start(&common_);
    common_.nmethods = 1;
    common_.method[0].ordering = CHOLMOD_GIVEN;  // ours, postordered
    common_.postorder = 0;
    common_.supernodal = CHOLMOD_SUPERNODAL;
    common_.quick_return_if_not_posdef = 1;
    common_.print = 0;
  }
  ~Common() { cholmod().finish(&common_); }
  Common(const Common&) = delete;
  Common& operator=(const Common&) = delete;
  [[nodiscard]] cholmod_common* get() { return &common_; }

 private:
  cholmod_common common_;
};

}  // namespace

struct SupernodalCholesky::Implementation {
  ~Implementation() { cholmod().free_factor(&factor, common.get()); }
  void build_scalar_pattern(const BlockSymmetricMatrix& H);
  [[nodiscard]] bool pivots_are_positive() const;

  KnownPattern pattern;
  bool factored = false;
  SymbolicCholesky symbolic;
  SupernodalStructure structure;

  // Lower triangle of H by columns, rows ascending.
  std::vector<int> column_begin, row_index;
  std::vector<double> values;
  std::vector<int> source;  // of each value: s >= 0 is H.diagonal[s], s < 0 is H.off_diagonal[-1 - s]
  std::vector<int> order;   // row of H of each row of P H P^T
  cholmod_sparse matrix{};

  std::vector<double> solution, workspace;

  Common common;
  cholmod_factor* factor = nullptr;  // null: nothing analysed, or the empty matrix, which CHOLMOD refuses
};

std::string load_cholmod() {
  return cholmod().missing;
}

SupernodalCholesky::SupernodalCholesky() : implementation_(std::make_unique<Implementation>()) {}

SupernodalCholesky::~SupernodalCholesky() = default;

void SupernodalCholesky::analyze(const BlockSymmetricMatrix& H) {
  Implementation& self = *implementation_;
  if (!self.pattern.change_to(H)) return;
  self.factored = false;
  self.symbolic.analyze(H, std::numeric_limits<int>::max(), &self.structure);
  self.build_scalar_pattern(H);
  cholmod().free_factor(&self.factor, self.common.get());
  if (H.rows() == 0) return;
  self.factor = cholmod().analyze_p(&self.matrix, self.order.data(), nullptr, 0, self.common.get());
  CSIM_REQUIRE(self.factor != nullptr && self.factor->is_super, self.common.get()->status, H.rows());
  self.solution.resize(H.rows());
  self.workspace.resize(std::max<std::size_t>(1, self.factor->maxesize));
}

void SupernodalCholesky::Implementation::build_scalar_pattern(const BlockSymmetricMatrix& H) {
  order.clear();
  for (const int tree : structure.order)
    for (int r = 0; r < H.size[tree]; ++r) order.push_back(H.begin[tree] + r);
  column_begin.clear();
  row_index.clear();
  source.clear();
  const auto add = [&](int row, int entry) {
    row_index.push_back(row);
    source.push_back(entry);
  };
  int edge_begin = 0,
      edge_end = 0;  // the tree's blocks below its own: edges are sorted by column, then by row
  for (int tree = 0; tree < H.num_blocks(); ++tree, edge_begin = edge_end) {
    while (edge_end < H.num_edges() && H.edges[edge_end].col == tree) ++edge_end;
    const int size = H.size[tree];
    for (int column = 0; column < size; ++column) {
      column_begin.push_back(static_cast<int>(row_index.size()));
      for (int r = column; r < size; ++r) add(H.begin[tree] + r, H.diagonal_begin[tree] + column * size + r);
      for (int e = edge_begin; e < edge_end; ++e) {
        const int below = H.edges[e].row;
        for (int r = 0; r < H.size[below]; ++r)
          add(H.begin[below] + r, -1 - (H.edge_begin[e] + column * H.size[below] + r));
      }
    }
  }
  column_begin.push_back(static_cast<int>(row_index.size()));
  values.resize(row_index.size());

  matrix.nrow = matrix.ncol = order.size();
  matrix.nzmax = row_index.size();
  matrix.p = column_begin.data();
  matrix.i = row_index.data();
  matrix.x = values.data();
  matrix.stype = -1;  // lower triangle
  matrix.itype = CHOLMOD_INT;
  matrix.xtype = CHOLMOD_REAL;
  matrix.dtype = CHOLMOD_DOUBLE;
  matrix.sorted = matrix.packed = 1;
}

bool SupernodalCholesky::factor(const BlockSymmetricMatrix& H) {
  Implementation& self = *implementation_;
  CSIM_REQUIRE(self.pattern.fits(H), H.num_blocks(), H.num_edges());
  self.factored = false;
  for (std::size_t k = 0; k < self.source.size(); ++k) {
    const int s = self.source[k];
    self.values[k] = s >= 0 ? H.diagonal[s] : H.off_diagonal[-1 - s];
  }
  if (self.factor == nullptr) return self.factored = true;
  cholmod().factorize(&self.matrix, self.factor, self.common.get());
  const int status = self.common.get()->status;
  CSIM_REQUIRE(status == CHOLMOD_OK || status == CHOLMOD_NOT_POSDEF, status, H.rows());
  if (status != CHOLMOD_OK || self.factor->minor < self.factor->n) return false;
  return self.factored = self.pivots_are_positive();
}

// A NaN passes LAPACK's test of the pivots.
bool SupernodalCholesky::Implementation::pivots_are_positive() const {
  const auto* super = static_cast<const int*>(factor->super);
  const auto* rows_begin = static_cast<const int*>(factor->pi);
  const auto* values_begin = static_cast<const int*>(factor->px);
  const auto* entries = static_cast<const double*>(factor->x);
  for (std::size_t s = 0; s < factor->nsuper; ++s) {
    const int rows = rows_begin[s + 1] - rows_begin[s];
    for (int column = 0; column < super[s + 1] - super[s]; ++column) {
      const double pivot = entries[values_begin[s] + column * (rows + 1)];
      if (!(pivot > 0.0 && std::isfinite(pivot))) return false;
    }
  }
  return true;
}

void SupernodalCholesky::solve(double* x) {
  Implementation& self = *implementation_;
  CSIM_REQUIRE(self.factored);
  if (self.factor == nullptr) return;
  const auto rows = static_cast<int>(self.order.size());
  for (int k = 0; k < rows; ++k) self.solution[k] = x[self.order[k]];
  const auto wrap = [](std::vector<double>* storage) {
    cholmod_dense vector{};
    vector.nrow = vector.nzmax = vector.d = storage->size();
    vector.ncol = 1;
    vector.x = storage->data();
    vector.xtype = CHOLMOD_REAL;
    vector.dtype = CHOLMOD_DOUBLE;
    return vector;
  };
  cholmod_dense solution = wrap(&self.solution), workspace = wrap(&self.workspace);
  cholmod().super_lsolve(self.factor, &solution, &workspace, self.common.get());
  cholmod().super_ltsolve(self.factor, &solution, &workspace, self.common.get());
  for (int k = 0; k < rows; ++k) x[self.order[k]] = self.solution[k];
}

long SupernodalCholesky::factor_nonzeros() const {
  if (implementation_->factor == nullptr) return 0;
  // CHOLMOD's own supernodes: a lower trapezoid each.
  const cholmod_factor& factor = *implementation_->factor;
  const auto* super = static_cast<const int*>(factor.super);
  const auto* rows_begin = static_cast<const int*>(factor.pi);
  long nonzeros = 0;
  for (std::size_t s = 0; s < factor.nsuper; ++s) {
    const long rows = rows_begin[s + 1] - rows_begin[s], columns = super[s + 1] - super[s];
    nonzeros += rows * columns - columns * (columns - 1) / 2;
  }
  return nonzeros;
}

}  // namespace csim
