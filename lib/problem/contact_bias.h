// The bias of a contact: what J(q0) v leaves out of the way that a contact goes in a step. With it
//
//   v_c = J(q0) v + b,   phi(q1) = phi(q0) + h n . v_c + O(h^3),   likewise along the surface
//
// so that bodies that turn together stay where they are on each other, an edge that rolls is fed nothing by
// friction, and the gap that a step foresees is that which the next one finds. J, and with it momentum, stays
// that of q0.
//
//   b = h/2 f [ g_B - g_A + w_B x s_B - w_A x s_A + n (n' . c) ]
//
// g_X: acceleration of the material point of X at constant velocities; s_X: how the contact point moves
// relative to the material of X; n': how the normal turns; c: the slip. A smooth wheel has g and w x s
// opposite: it rolls as if it had no curvature. f = 1/(1 + (h w/0.3)^4), w the largest rate at which a body
// turns or the normal turns on it: the turn that a step takes, and the terms fade where 0.3 rad or more are
// turned.
#pragma once

#include "geometry/local_surface.h"
#include "problem/build_contact_problem.h"

namespace csim {

/// How the contact point of A and B moves, world axes.
struct ContactPointMotion {
  Vector3 s_a = Vector3::Zero(), s_b = Vector3::Zero();  // m/s, relative to the material of A and of B
  Vector3 normal_rate = Vector3::Zero();                 // rad/s
  double turn = 0.0;  // rad/s, the larger rate of the normal relative to A and to B
};

/// From the surfaces at the two witness points (world axes), the unit normal from A to B, the gap phi (m),
/// the angular velocities and the slip c of B's material over A's (m/s, across the normal). With S_X as in
/// geometry/local_surface.h and d_X the rate of the normal relative to X:
///   s_A = S_A d_A,   s_B = -S_B d_B,   d_B = d_A + (w_A - w_B) x n,   c + s_B - s_A = phi n'
/// A face fixes the normal, d_X = 0. What is unknown counts as a face where the other side is none, else as a
/// vertex; between two faces or two parallel lines the point stays on B. Nothing moves where nothing fixes
/// the normal.
[[nodiscard]] ContactPointMotion contact_point_motion(const LocalSurface& a, const LocalSurface& b,
                                                      const Vector3& normal, double phi, const Vector3& w_a,
                                                      const Vector3& w_b, const Vector3& c);

/// Velocities and accelerations of all bodies at constant velocities v [nv of the model], world axes at the
/// body origins: of q1 = q0 + h v, with the centres of mass of free bodies and the origins of prescribed
/// bodies straight on.
struct BodyPaths {
  std::vector<Twist> velocity, acceleration;  // [B]
};
/// Free bodies of other trees than `trees` stay as they are.
void compute_body_paths(const Model& model, const Kinematics& kinematics, const State& state,
                        const VectorX& v, const TreeSet& trees, BodyPaths* paths);

/// Which velocities: those before the step, of its start, or those after it.
enum class StepEnd { kBefore, kAfter };

/// b of every contact of some islands of data.problem (null: all) in the step h (s), m/s, and its scale, the
/// speed of one body as the other sees it or, where both turn alike, that of their turn, whichever is larger
/// (m/s: where they turn together less is asked). The entries of other islands stay. Laws with a barrier have
/// its part along the surface alone: their gap must not close at the guess.
///
/// Points of meshes, of two convex hulls and of faces of pressure fields are bound to no feature that is
/// known. They have the bias of their material points as far as the bodies turn together, times 2 w_A .
/// w_B/(w_A^2 + w_B^2) where that is positive: all of it where one sticks to the other, none where one rolls
/// on a body at rest.
void compute_contact_bias(const Model& model, const Kinematics& kinematics, const ContactSet& contacts,
                          const StepData& data, const std::vector<char>* islands, const BodyPaths& paths,
                          double h, StepEnd at, std::vector<Vector3>* bias, std::vector<double>* speed);

/// Puts the bias into the contact velocities of some contacts of data->problem.
void set_contact_bias(const std::vector<Vector3>& bias, ContactRange contacts, StepData* data);

/// The same for all contacts of a problem just built, before `set_step`, with the bias at v0; and v_n0 with
/// it: J v0 - b(v0) is what the last step, which ended with v0, had at its end.
void begin_contact_bias(const std::vector<Vector3>& bias_at_start, StepData* data);

}  // namespace csim
