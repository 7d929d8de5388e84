#include "scene/help/angle_warnings.h"

#include <cmath>
#include <iomanip>
#include <numbers>
#include <optional>
#include <sstream>

#include "scene/yaml/strict_values.h"

namespace csim {
namespace {

constexpr double kTurn = 2.0 * std::numbers::pi;
constexpr double kRoundDegrees = 15.0;

bool looks_like_degrees(double angle, Turns turns) {
  // 6.3 and 6.2832 are a turn.
  if (std::abs(angle) < 1.01 * kTurn) return false;
  return turns == Turns::kOne || std::fmod(angle, kRoundDegrees) == 0.0;
}

/// The first number of a value that looks like degrees, with its path; lists are gone into.
struct Suspect {
  const YamlNode* node;
  std::string path;
  double angle;
};

std::optional<Suspect> find_suspect(const YamlNode& node, const std::string& path, Turns turns,
                                    size_t first_angle) {
  std::string fault;
  const std::optional<double> number = parse_number(node, &fault);
  if (number)
    return looks_like_degrees(*number, turns) ? std::optional(Suspect{&node, path, *number}) : std::nullopt;
  for (size_t i = first_angle; i < node.items.size(); ++i) {
    if (auto found = find_suspect(node.items[i], path + "." + std::to_string(i), turns, 0)) return found;
  }
  return std::nullopt;
}

}  // namespace

void warn_of_degrees(const SectionReader& reader, const std::string& key, Turns turns, size_t first_angle,
                     const char* remedy) {
  const std::vector<std::string> path = split_path(key);
  const YamlNode* node = reader.node(path[0]);
  for (size_t i = 1; i < path.size() && node != nullptr; ++i) node = node->find(path[i]);
  if (node == nullptr || (node->kind == YamlNode::Kind::kScalar && first_angle > 0)) return;
  const auto suspect = find_suspect(*node, reader.path(key), turns, first_angle);
  if (!suspect) return;
  const std::string& written = suspect->node->text;
  std::ostringstream message;
  message << written << " rad is " << std::setprecision(3) << suspect->angle / kTurn
          << " turns, expected radians (" << written << " degrees are " << std::setprecision(6)
          << suspect->angle * (kTurn / 360.0) << remedy << ")";
  reader.warn(suspect->node->mark, suspect->path, message.str());
}

}  // namespace csim
