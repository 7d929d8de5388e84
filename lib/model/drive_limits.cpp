#include "model/drive_limits.h"

namespace csim {
namespace {

/// The piece on which a drive is with the effort u: 0, or the sign of the limit that it is beyond. It stays
/// on its own within the slack, and goes from one limit to the other by way of 0.
int piece_of(double u, double limit, double slack, int piece) {
  if (piece != 0) return piece * u < limit * (1.0 - slack) ? 0 : piece;
  const double beyond = limit * (1.0 + slack);
  return u > beyond ? 1 : u < -beyond ? -1 : 0;
}

}  // namespace

void DriveLimits::restart(const Model& model, FreeMotion* free_motion) {
  free_motion->saturation.assign(model.limited_drives.size(), 0);
  num_rounds_ = 0;
}

bool DriveLimits::change(const Model& model, const Dynamics& dynamics, const VectorX& v, double h,
                         double slack, FreeMotion* free_motion) {
  if (!settled()) return false;
  bool any = false;
  for (std::size_t i = 0; i < model.limited_drives.size(); ++i) {
    const Actuator& drive = model.actuators[model.limited_drives[i].actuator];
    int& piece = free_motion->saturation[i];
    const double u = dynamics.limited_effort[i] - (drive.damping + h * drive.stiffness) * v[drive.v];
    const int now = piece_of(u, drive.effort_limit, slack, piece);
    if (now == piece) continue;
    piece = now;
    any = true;
    if (num_rounds_ > kRoundsTogether) break;
  }
  if (!any) return false;
  if (++num_rounds_ == kRoundsTogether + 1) free_motion->saturation.assign(model.limited_drives.size(), 0);
  return settled();
}

}  // namespace csim
