#include "view/page.h"

#include <array>
#include <utility>

#include "core/require.h"
#include "view/embedded.h"
#include "view/page_data.h"

namespace csim {

std::string page_html(const ViewScene& scene) {
  const PageData data = page_data(scene, frame_scene(scene));
  const std::string title = replaced(replaced(scene.name, '&', "&amp;"), '<', "&lt;");
  // The template names each piece once, as {{name}}.
  const std::array<std::pair<std::string_view, std::string_view>, 27> pieces{{
      {"title", title},
      {"page.css", embedded::page_css},
      {"data.json", data.json},
      {"data.base64", data.base64},
      {"three.js", embedded::three_js},
      {"OrbitControls.js", embedded::orbit_controls_js},
      {"theme.js", embedded::theme_js},
      {"data.js", embedded::data_js},
      {"choice.js", embedded::choice_js},
      {"surfaces.js", embedded::surfaces_js},
      {"arrows.js", embedded::arrows_js},
      {"contacts.js", embedded::contacts_js},
      {"patches.js", embedded::patches_js},
      {"links.js", embedded::links_js},
      {"frames.js", embedded::frames_js},
      {"compass.js", embedded::compass_js},
      {"overlay.js", embedded::overlay_js},
      {"trace.js", embedded::trace_js},
      {"stage.js", embedded::stage_js},
      {"plots.js", embedded::plots_js},
      {"columns.js", embedded::columns_js},
      {"player.js", embedded::player_js},
      {"items.js", embedded::items_js},
      {"legend.js", embedded::legend_js},
      {"controls.js", embedded::controls_js},
      {"link.js", embedded::link_js},
      {"app.js", embedded::app_js},
  }};
  std::string page;
  std::string_view rest = embedded::page_html;
  for (std::size_t open = rest.find("{{"); open != std::string_view::npos; open = rest.find("{{")) {
    const std::size_t close = rest.find("}}", open);
    CSIM_REQUIRE(close != std::string_view::npos);
    const std::string_view name = rest.substr(open + 2, close - open - 2);
    const auto* piece = pieces.begin();
    while (piece != pieces.end() && piece->first != name) ++piece;
    CSIM_REQUIRE(piece != pieces.end(), name);
    page.append(rest.substr(0, open)).append(piece->second);
    rest.remove_prefix(close + 2);
  }
  return page.append(rest);
}

}  // namespace csim
