#include <algorithm>
#include <cmath>
#include <numbers>

#include "mesh/primitive_tets.h"
#include "mesh/tet_cells.h"

namespace csim {

namespace {

/// A circle of n vertices about the axis, the first on +x; returns the number of the first.
int add_ring(int n, double radius, double z, TetMesh* mesh) {
  const int first = static_cast<int>(mesh->vertices.size());
  for (int i = 0; i < n; ++i) {
    const double angle = 2.0 * std::numbers::pi * i / n;
    mesh->vertices.emplace_back(radius * std::cos(angle), radius * std::sin(angle), z);
  }
  return first;
}

int add_on_axis(double z, TetMesh* mesh) {
  mesh->vertices.emplace_back(0.0, 0.0, z);
  return static_cast<int>(mesh->vertices.size()) - 1;
}

}  // namespace

int num_sectors(double radius, double resolution, int limit) {
  const double wanted = std::ceil(2.0 * std::numbers::pi * radius / resolution);
  return static_cast<int>(std::clamp(wanted, 3.0, static_cast<double>(limit)));
}

CompliantMesh make_cylinder_tets(const Cylinder& cylinder, const CompliantMeshOptions& options) {
  const double R = cylinder.radius + options.margin, half = 0.5 * cylinder.length + options.margin;
  const int n = num_sectors(R, options.resolution, kMaxCylinderSectors);
  CompliantMesh compliant;
  TetMesh& mesh = compliant.mesh;
  // The boundary first.
  const int b = add_ring(n, R, -half, &mesh), t = add_ring(n, R, half, &mesh);
  const int C0 = add_on_axis(-half, &mesh), C1 = add_on_axis(half, &mesh);
  const double H = std::min(cylinder.radius, 0.5 * cylinder.length);
  compliant.pressure.assign(mesh.vertices.size(), 0.0 - options.modulus * (options.margin / H));

  // The medial axis, then the cells of each sector.
  const double tolerance = 1e-14 * std::min(R, half);
  if (half - R > tolerance) {
    const int m0 = add_on_axis(R - half, &mesh), m1 = add_on_axis(half - R, &mesh);
    for (int i = 0; i < n; ++i) {
      const int j = (i + 1) % n;
      mesh.tets.push_back({C0, b + i, b + j, m0});
      mesh.tets.push_back({C1, t + j, t + i, m1});
      add_prism(m0, b + i, b + j, m1, t + i, t + j, &mesh);
    }
  } else if (R - half > tolerance) {
    const int o = add_on_axis(0.0, &mesh), r = add_ring(n, R - half, 0.0, &mesh);
    for (int i = 0; i < n; ++i) {
      const int j = (i + 1) % n;
      add_prism(C0, b + i, b + j, o, r + i, r + j, &mesh);
      add_prism(o, r + i, r + j, C1, t + i, t + j, &mesh);
      add_prism(b + i, r + i, t + i, b + j, r + j, t + j, &mesh);
    }
  } else {
    const int o = add_on_axis(0.0, &mesh);
    for (int i = 0; i < n; ++i) {
      const int j = (i + 1) % n;
      mesh.tets.push_back({C0, b + i, b + j, o});
      mesh.tets.push_back({C1, t + j, t + i, o});
      add_pyramid(t + i, t + j, b + j, b + i, o, &mesh);
    }
  }
  // All of the medial axis lies as deep as the cylinder goes.
  compliant.pressure.resize(mesh.vertices.size(), options.modulus);
  return compliant;
}

CompliantMesh make_capsule_tets(const Capsule& capsule, const CompliantMeshOptions& options) {
  const double R = capsule.radius + options.margin, half = 0.5 * capsule.length;
  const int n = num_sectors(R, options.resolution, kMaxSectors), num_rings = n / 2;
  CompliantMesh compliant;
  TetMesh& mesh = compliant.mesh;
  // Per cap, the lower one first: rings from the equator towards the pole, then the pole.
  std::array<std::vector<int>, 2> rings;
  std::array<int, 2> pole{};
  for (int cap = 0; cap < 2; ++cap) {
    const double side = cap == 0 ? -1.0 : 1.0;
    for (int i = 0; i < num_rings; ++i) {
      const double latitude = 0.5 * std::numbers::pi * i / num_rings;
      rings[cap].push_back(
          add_ring(n, R * std::cos(latitude), side * (half + R * std::sin(latitude)), &mesh));
    }
    pole[cap] = add_on_axis(side * (half + R), &mesh);
  }
  compliant.pressure.assign(mesh.vertices.size(), 0.0 - options.modulus * (options.margin / capsule.radius));
  const std::array<int, 2> medial{add_on_axis(-half, &mesh), add_on_axis(half, &mesh)};
  compliant.pressure.resize(mesh.vertices.size(), options.modulus);

  for (int i = 0; i < n; ++i) {
    const int j = (i + 1) % n;
    for (int cap = 0; cap < 2; ++cap) {
      // Counterclockwise about +z in the upper cap, turned over in the lower one.
      const int from = cap == 0 ? i : j, to = cap == 0 ? j : i;
      for (int k = 0; k + 1 < num_rings; ++k) {
        const int inner = rings[cap][k], outer = rings[cap][k + 1];
        add_pyramid(inner + from, inner + to, outer + to, outer + from, medial[cap], &mesh);
      }
      const int last = rings[cap].back();
      mesh.tets.push_back({pole[cap], last + from, last + to, medial[cap]});
    }
    const int b = rings[0][0], t = rings[1][0];
    add_prism(medial[0], b + i, b + j, medial[1], t + i, t + j, &mesh);
  }
  return compliant;
}

}  // namespace csim
