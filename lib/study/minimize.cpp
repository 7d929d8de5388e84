#include "study/minimize.h"

#include <nlopt.h>

#include <exception>
#include <limits>
#include <memory>

#include "core/require.h"

namespace csim {
namespace {

constexpr double kFirstStep = 0.1;

/// What NLopt's C function needs.
struct Search {
  const BoxFunction& function;
  nlopt_opt optimizer;
  Minimum best;
  std::exception_ptr error;  // must not pass through C
};

double call(unsigned count, const double* x, double* /*gradient*/, void* data) {
  Search& search = *static_cast<Search*>(data);
  const std::vector<double> place(x, x + count);
  std::optional<double> value;
  try {
    value = search.function(place);
  } catch (...) {
    search.error = std::current_exception();
  }
  if (!value) {
    search.best.stopped = true;
    nlopt_force_stop(search.optimizer);
    return 0.0;
  }
  ++search.best.evaluations;
  if (*value < search.best.value) {
    search.best.value = *value;
    search.best.x = place;
  }
  return *value;
}

nlopt_algorithm algorithm(FitMethod method) {
  constexpr nlopt_algorithm kAlgorithms[] = {NLOPT_LN_BOBYQA, NLOPT_LN_NELDERMEAD, NLOPT_LN_SBPLX};
  return kAlgorithms[static_cast<int>(method)];
}

}  // namespace

Minimum minimize_in_box(const BoxFunction& function, const std::vector<double>& start,
                        const MinimizeOptions& options) {
  const std::unique_ptr<nlopt_opt_s, decltype(&nlopt_destroy)> optimizer(
      nlopt_create(algorithm(options.method), static_cast<unsigned>(start.size())), &nlopt_destroy);
  CSIM_REQUIRE(optimizer != nullptr, start.size());
  Search search{function, optimizer.get(), {}, {}};
  search.best.x = start;
  search.best.value = std::numeric_limits<double>::infinity();
  nlopt_set_min_objective(optimizer.get(), &call, &search);
  nlopt_set_lower_bounds1(optimizer.get(), 0.0);
  nlopt_set_upper_bounds1(optimizer.get(), 1.0);
  nlopt_set_initial_step1(optimizer.get(), kFirstStep);
  nlopt_set_xtol_abs1(optimizer.get(), options.tolerance);
  nlopt_set_maxeval(optimizer.get(), options.max_evaluations);
  std::vector<double> x = start;
  double value = 0.0;
  const nlopt_result result = nlopt_optimize(optimizer.get(), x.data(), &value);
  if (search.error) std::rethrow_exception(search.error);
  search.best.converged =
      !search.best.stopped && (result == NLOPT_XTOL_REACHED || result == NLOPT_SUCCESS ||
                               result == NLOPT_FTOL_REACHED || result == NLOPT_ROUNDOFF_LIMITED);
  return std::move(search.best);
}

}  // namespace csim
