// Files that are part of the program: embed.cmake writes their contents into a source file.
#pragma once

#include <string_view>

namespace csim::embedded {

extern const std::string_view page_html, page_css;
extern const std::string_view theme_js, data_js, choice_js, surfaces_js, arrows_js, contacts_js, patches_js,
    links_js, frames_js, compass_js, overlay_js, trace_js, stage_js, plots_js, columns_js, player_js,
    items_js, legend_js, controls_js, link_js, app_js;
extern const std::string_view three_js, orbit_controls_js;  // three.js, MIT licence

}  // namespace csim::embedded
