// DAE, glTF and 3MF by Assimp.
#include "geometry/surface_assets.h"

#ifdef CSIM_WITH_ASSIMP
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <assimp/Importer.hpp>
#endif

namespace csim {

bool is_asset(const std::string& file) {
  const std::string extension = lower_extension(file);
  return extension == "dae" || extension == "gltf" || extension == "glb" || extension == "3mf";
}

#ifdef CSIM_WITH_ASSIMP
namespace {

void add_mesh(const aiMesh& mesh, const aiMatrix4x4& X_WN, SurfaceData* surface) {
  const int first = static_cast<int>(surface->vertices.size());
  for (unsigned i = 0; i < mesh.mNumVertices; ++i) {
    const aiVector3D p = X_WN * mesh.mVertices[i];
    surface->vertices.emplace_back(p.x, p.y, p.z);
  }
  const bool mirrored = X_WN.Determinant() < 0;
  for (unsigned i = 0; i < mesh.mNumFaces; ++i) {
    const aiFace& face = mesh.mFaces[i];
    if (face.mNumIndices != 3) continue;  // lines and points
    std::array<int, 3> triangle{};
    for (unsigned k = 0; k < 3; ++k) triangle[k] = first + static_cast<int>(face.mIndices[k]);
    if (mirrored) std::swap(triangle[1], triangle[2]);
    surface->triangles.push_back(triangle);
    surface->place.push_back(static_cast<long>(surface->triangles.size()));
  }
}

void add_node(const aiScene& scene, const aiNode& node, const aiMatrix4x4& X_WP, SurfaceData* surface) {
  const aiMatrix4x4 X_WN = X_WP * node.mTransformation;
  for (unsigned i = 0; i < node.mNumMeshes; ++i) add_mesh(*scene.mMeshes[node.mMeshes[i]], X_WN, surface);
  for (unsigned i = 0; i < node.mNumChildren; ++i) add_node(scene, *node.mChildren[i], X_WN, surface);
}

}  // namespace

std::string read_asset(const std::string& file, SurfaceData* surface) {
  Assimp::Importer importer;
  importer.SetPropertyInteger(AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, 1);
  const aiScene* scene = importer.ReadFile(file, aiProcess_Triangulate);
  if (scene == nullptr || scene->mRootNode == nullptr) return importer.GetErrorString();
  surface->place_word = "triangle";
  aiMatrix4x4 X_WF;
  if (lower_extension(file).starts_with("gl"))
    X_WF = aiMatrix4x4(1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1);
  add_node(*scene, *scene->mRootNode, X_WF, surface);
  return "";
}
#else
std::string read_asset(const std::string&, SurfaceData*) {
  return "DAE, glTF and 3MF are read by Assimp, which this build has not (CSIM_WITH_ASSIMP)";
}
#endif

}  // namespace csim
