// The contact points of a face in a step.
#pragma once

#include <vector>

#include "patch/contact_surface.h"

namespace csim {

enum class FaceQuadrature { kCentroid, kCenterOfPressure, kThreePoint };

/// A point that stands for a face or for part of one. Frozen at the start of a step its normal force is
/// (force - dt stiffness v_n)_+ , elastic part (Masterjohn et al., Velocity Level Approximation of Pressure
/// Field Contact Patches, section IV). Forces are used, not gaps: where
/// the pressure gradient is nearly tangential, -pressure/gradient is not a meaningful length.
struct FacePoint {
  int face = -1;          // in the surface
  Vector3 point;          // m, world
  double area = 0.0;      // m^2
  double pressure = 0.0;  // Pa; area * pressure is the elastic force, N
};

/// Appends the points of faces [begin, end) of the surface, face by face. kCentroid: one at the centroid; the
/// force is exact, the moment to second order in the face's size. kCenterOfPressure: one where the elastic
/// force acts, so that its moment is exact too; at the centroid where the mean pressure is not positive or
/// the point lies outside the face. kThreePoint: three in each triangle of the face's fan, at (2/3, 1/6,
/// 1/6), exact for quadratics.
/// All but kCentroid read the surface's vertices.
void append_face_points(const ContactSurface& surface, int begin, int end, FaceQuadrature quadrature,
                        std::vector<FacePoint>* points);

}  // namespace csim
