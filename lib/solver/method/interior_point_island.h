// One island's way along the central path: the state that the start (interior_start.cpp) and the iterations
// (interior_point.cpp) share.
#pragma once

#include "solver/lap_timer.h"
#include "solver/method/interior_point.h"

namespace csim {

template <class Cone>
class IslandInteriorPoint {
 public:
  IslandInteriorPoint(const IslandTask& task, const InteriorPointGoal& goal);

  void run();

 private:
  /// Lagged: the cones hold the normal impulses alone.
  static constexpr bool kHasSeparateFriction = std::is_same_v<Cone, HalfLine>;

  // interior_start.cpp
  struct Predicted;
  void fill_cones();
  void start_from_rest();
  void start_along_normals();
  bool start_from_prediction();
  void predict_impulses();
  void start_rows(double mu);
  [[nodiscard]] Predicted predicted(int i) const;
  [[nodiscard]] double law_impulse(int i, double speed) const;

  // interior_point.cpp
  void evaluate();
  void restore_start();
  void reset_dual();
  bool is_close_enough();
  void set_residuals();
  bool momentum_is_balanced();
  bool iterate_once();
  void scale_cones();
  void add_friction_hessians();
  bool factor();
  void set_predictor();
  void set_corrector(double target);
  void solve_direction();
  double correct(double target);
  void copy_cones(const ConeVectors& from, ConeVectors* to) const;
  void take_step(double alpha);
  void add_impulses(const ConeVectors& lambda);
  [[nodiscard]] double largest_step() const;
  double gap_after(double alpha);
  [[nodiscard]] double sum(const std::vector<double>& terms) const;
  void count_iteration(double alpha);

  static Cone at(const ConeVectors& column, int i) { return column.at<Cone>(i); }

  double* v() { return iterate_.v.data() + begin_; }
  double* dv() { return w_.dv.data() + begin_; }

  /// s(v_c, lambda) of a contact.
  [[nodiscard]] Cone slack(int i, const Cone& lambda) const {
    const ConeColumns& c = c_.cones;
    const InverseNormal p(c.a[i], c.b[i], lambda.n * c.normal[i]);
    return Cone::of((w_.v_c.normal[i] - c.v_hat[i] + p.speed) * c.normal[i] + c.eps[i],
                    c.tangential[i] * w_.v_c.tangential.x[i] + c.R_t[i] * lambda.x,
                    c.tangential[i] * w_.v_c.tangential.y[i] + c.R_t[i] * lambda.y,
                    c.tangential[i] * w_.v_c.tangential.z[i] + c.R_t[i] * lambda.z, c.eps[i]);
  }

  /// M dv_c of a contact.
  [[nodiscard]] Cone map_velocity(int i) const {
    const ConeColumns& c = c_.cones;
    const double t = c.tangential[i];
    return Cone::of(c.normal[i] * w_.dv_c.normal[i], t * w_.dv_c.tangential.x[i], t * w_.dv_c.tangential.y[i],
                    t * w_.dv_c.tangential.z[i], 0.0);
  }

  /// N^-1 x of a contact of scaling w.
  [[nodiscard]] Cone comply(int i, const Cone& w, const Cone& x) const {
    return apply_compliance(w, c_.n_00[i], c_.n_01[i], c_.n_11[i], c_.n_2[i], x);
  }

  const ConvexProblem& problem_;
  const ContactLaw& law_;
  const Island& island_;
  const NewtonOptions& options_;
  const InteriorPointGoal& goal_;
  NewtonColumns& w_;
  InteriorPointColumns& c_;
  Iterate& iterate_;
  IslandSolve& out_;
  const ContactRange contacts_;
  const int begin_, n_;  // rows of the island

  LapTimer timer_;
  IslandValue value_;           // of the law at v
  double speed_scale_ = 0.0;    // m/s, change of a contact's velocity in the step without contacts
  double kinetic_scale_ = 0.0;  // J, |v* - v|_A^2 at the start
  double num_cones_ = 0.0;      // and bounds of rows
  InteriorRows::Residuals rows_;
  double row_step_ = 0.0;   // the largest that the bounds of rows allow
  double gap_ = 0.0;        // J, sum of s . lambda
  int num_iterations_ = 0;  // of this call
};

}  // namespace csim
