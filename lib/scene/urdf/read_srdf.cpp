#include "scene/read/scene_reading.h"
#include "scene/urdf/robot.h"

namespace csim {

std::vector<std::pair<std::string, std::string>> read_srdf(RobotFile* file, const Robot& robot) {
  std::vector<std::pair<std::string, std::string>> pairs;
  if (!file->root()) return pairs;
  const ElementReader root(file, file->root(), "robot");
  for (const ElementReader& pair : root.all("disable_collisions")) {
    const std::string links[] = {pair.text("link1"), pair.text("link2")};
    bool known = true;
    for (const std::string& link : links) {
      if (robot.link_index.count(link) > 0) continue;
      // An SRDF often serves several variants of a robot.
      pair.note(link, "collisions disabled of links that the robot has not");
      known = false;
    }
    if (known) pairs.emplace_back(links[0], links[1]);
  }
  return pairs;
}

}  // namespace csim
