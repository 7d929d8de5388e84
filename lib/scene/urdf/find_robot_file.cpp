#include <algorithm>
#include <filesystem>
#include <system_error>

#include "core/file_bytes.h"
#include "core/xml.h"
#include "scene/urdf/robot.h"

namespace csim {
namespace {

namespace fs = std::filesystem;

/// Whether a folder holds the package.xml of a package.
bool declares(const fs::path& folder, const std::string& package) {
  std::error_code error;
  std::string bytes;
  const fs::path file = folder / "package.xml";
  if (!fs::is_regular_file(file, error) || !read_file_bytes(file.string(), &bytes).empty()) return false;
  const XmlDocument document(bytes);
  if (!document.error().empty()) return false;
  const std::string name = document.root().child("name").text();
  const std::size_t begin = name.find_first_not_of(" \t\r\n");
  return begin != std::string::npos &&
         name.substr(begin, name.find_last_not_of(" \t\r\n") - begin + 1) == package;
}

/// The folders at one level of the way up that could be the package, the likeliest first.
std::vector<fs::path> package_folders(const fs::path& folder, const std::string& package) {
  std::vector<fs::path> folders;
  std::error_code error;
  if (folder.filename() == package) folders.push_back(folder);
  if (fs::is_directory(folder / package, error)) folders.push_back(folder / package);
  if (declares(folder, package)) folders.push_back(folder);
  std::vector<fs::path> inside;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (entry.is_directory(error) && declares(entry.path(), package)) inside.push_back(entry.path());
  }
  std::sort(inside.begin(), inside.end());  // the order of a folder's entries is the system's
  folders.insert(folders.end(), inside.begin(), inside.end());
  return folders;
}

std::string find_in_package(const std::string& name, const RobotOptions& options, std::string* fault) {
  const std::size_t slash = name.find('/');
  const std::string package = name.substr(0, slash);
  const std::string rest = slash == std::string::npos ? "" : name.substr(slash + 1);
  std::error_code error;
  if (const auto given = options.packages.find(package); given != options.packages.end()) {
    const fs::path file = fs::path(given->second) / rest;
    if (fs::is_regular_file(file, error)) return file.lexically_normal().string();
    *fault = "no such file in the package's folder " + given->second;
    return "";
  }
  for (fs::path folder = options.folder;; folder = folder.parent_path()) {
    for (const fs::path& root : package_folders(folder, package)) {
      if (fs::is_regular_file(root / rest, error)) return (root / rest).lexically_normal().string();
    }
    if (!folder.has_relative_path()) break;
  }
  *fault = "no such file in a package '" + package + "' around the robot's file; packages: {" + package +
           ": FOLDER} says where it is";
  return "";
}

}  // namespace

std::string find_robot_file(const std::string& name, const RobotOptions& options, std::string* fault) {
  for (const std::string scheme : {"package://", "model://"}) {
    if (name.starts_with(scheme)) return find_in_package(name.substr(scheme.size()), options, fault);
  }
  constexpr std::string_view kFile = "file://";
  const std::string path = name.starts_with(kFile) ? name.substr(kFile.size()) : name;
  const fs::path file = fs::path(options.folder) / path;  // an absolute name stands for itself
  std::error_code error;
  if (fs::is_regular_file(file, error)) return file.lexically_normal().string();
  *fault = "no such file, expected one relative to the robot's file, or package://NAME/..";
  return "";
}

}  // namespace csim
