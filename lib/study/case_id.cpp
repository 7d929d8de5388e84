#include "study/case_id.h"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "core/sha256.h"
#include "scene/resolve.h"
#include "scene/yaml/yaml_writer.h"

namespace csim {
namespace {

namespace fs = std::filesystem;

std::string relative_name(const std::string& file, const fs::path& folder) {
  return fs::path(file).lexically_normal().lexically_relative(folder).generic_string();
}

YamlNode identity_tree(YamlNode resolved, const fs::path& folder) {
  std::erase_if(resolved.entries, [](const YamlEntry& entry) { return entry.key == "name"; });
  make_files_relative(&resolved, folder.string());
  return resolved;
}

std::string file_line(const std::string& file, const fs::path& folder, const std::string& digest) {
  return "# sha256 " + relative_name(file, folder) + " " + digest + "\n";
}

fs::path folder_of(const std::string& scene) {
  return fs::absolute(scene).lexically_normal().parent_path();
}

}  // namespace

void make_files_relative(YamlNode* node, const std::string& folder) {
  for (YamlNode& item : node->items) make_files_relative(&item, folder);
  for (YamlEntry& entry : node->entries) {
    YamlNode& value = entry.value;
    const bool is_file = entry.key == "file" || entry.key == "from";
    if (is_file && value.kind == YamlNode::Kind::kScalar && fs::path(value.text).is_absolute()) {
      value = yaml_text(relative_name(value.text, folder));
    } else {
      make_files_relative(&value, folder);
    }
  }
}

YamlNode identity_tree(const LoadedScene& loaded) {
  return identity_tree(resolved_tree(loaded.read.scene), folder_of(loaded.file));
}

std::string identity_files(const LoadedScene& loaded,
                           const std::function<std::string(const std::string&)>& digest) {
  const fs::path folder = folder_of(loaded.file);
  std::string text;
  const std::vector<std::string> inputs = input_files(loaded);
  for (std::size_t i = 1; i < inputs.size(); ++i) text += file_line(inputs[i], folder, digest(inputs[i]));
  return text;
}

std::string identity_text(const LoadedScene& loaded,
                          const std::function<std::string(const std::string&)>& digest) {
  return write_yaml(identity_tree(loaded)) + identity_files(loaded, digest);
}

std::string identity_text(const ResultFile& result) {
  const std::vector<InputFile> inputs = result.provenance().inputs;
  const fs::path folder = inputs.empty() ? fs::path() : folder_of(inputs[0].path);
  std::string text = write_yaml(identity_tree(parse_yaml(result.text("/scene/resolved")).root, folder));
  for (std::size_t i = 1; i < inputs.size(); ++i) text += file_line(inputs[i].path, folder, inputs[i].sha256);
  return text;
}

std::string case_id(const std::string& identity) {
  return sha256_hex(identity).substr(0, 12);
}

}  // namespace csim
