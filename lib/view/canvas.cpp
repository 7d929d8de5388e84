#include "view/canvas.h"

#include <cairo.h>
#include <dlfcn.h>

#include "core/require.h"
#include "record/errors.h"

namespace csim {
namespace {

/// The functions of the library that are used here.
class Cairo {
 public:
  Cairo() {
    // The loader's choice, else the library of the build.
    for (const char* name : {"libcairo.so.2", CSIM_CAIRO_LIBRARY}) {
      if (library_ == nullptr) library_ = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
    }
    if (library_ == nullptr) throw IoError(std::string("stills need the library cairo: ") + dlerror());
#define CSIM_FIND(function) find("cairo_" #function, &function)
    CSIM_FIND(create);
    CSIM_FIND(destroy);
    CSIM_FIND(image_surface_create_for_data);
    CSIM_FIND(surface_destroy);
    CSIM_FIND(surface_write_to_png_stream);
    CSIM_FIND(set_source_rgba);
    CSIM_FIND(move_to);
    CSIM_FIND(line_to);
    CSIM_FIND(fill);
    CSIM_FIND(select_font_face);
    CSIM_FIND(set_font_size);
    CSIM_FIND(font_options_create);
    CSIM_FIND(font_options_destroy);
    CSIM_FIND(font_options_set_antialias);
    CSIM_FIND(font_options_set_hint_style);
    CSIM_FIND(font_options_set_hint_metrics);
    CSIM_FIND(set_font_options);
    CSIM_FIND(text_extents);
    CSIM_FIND(show_text);
#undef CSIM_FIND
  }

  decltype(&cairo_create) create;
  decltype(&cairo_destroy) destroy;
  decltype(&cairo_image_surface_create_for_data) image_surface_create_for_data;
  decltype(&cairo_surface_destroy) surface_destroy;
  decltype(&cairo_surface_write_to_png_stream) surface_write_to_png_stream;
  decltype(&cairo_set_source_rgba) set_source_rgba;
  decltype(&cairo_move_to) move_to;
  decltype(&cairo_line_to) line_to;
  decltype(&cairo_fill) fill;
  decltype(&cairo_select_font_face) select_font_face;
  decltype(&cairo_set_font_size) set_font_size;
  decltype(&cairo_font_options_create) font_options_create;
  decltype(&cairo_font_options_destroy) font_options_destroy;
  decltype(&cairo_font_options_set_antialias) font_options_set_antialias;
  decltype(&cairo_font_options_set_hint_style) font_options_set_hint_style;
  decltype(&cairo_font_options_set_hint_metrics) font_options_set_hint_metrics;
  decltype(&cairo_set_font_options) set_font_options;
  decltype(&cairo_text_extents) text_extents;
  decltype(&cairo_show_text) show_text;

 private:
  template <typename Function>
  void find(const char* name, Function* function) {
    *function = reinterpret_cast<Function>(dlsym(library_, name));
    if (*function == nullptr)
      throw IoError(std::string("stills need another version of cairo: ") + dlerror());
  }

  void* library_ = nullptr;
};

const Cairo& cairo() {
  static const Cairo library;
  return library;
}

/// A surface that draws into the pixels of a picture.
std::shared_ptr<cairo_surface_t> surface_of(std::uint32_t* pixels, int width, int height) {
  CSIM_REQUIRE(width > 0 && height > 0, width, height);
  auto* bytes = reinterpret_cast<unsigned char*>(pixels);
  const int row = static_cast<int>(sizeof(std::uint32_t)) * width;
  return {cairo().image_surface_create_for_data(bytes, CAIRO_FORMAT_RGB24, width, height, row),
          cairo().surface_destroy};
}

}  // namespace

/// A context for one thing to draw: an error (text that is not UTF-8) ends with it. Text is neither hinted
/// nor given colours at its edges, so that it depends on the font alone.
class Canvas::Pen {
 public:
  Pen(const Canvas& canvas, const Color& color, double opacity)
      : cr_(cairo().create(static_cast<cairo_surface_t*>(canvas.surface_.get()))) {
    cairo().set_source_rgba(cr_, color.x(), color.y(), color.z(), opacity);
  }
  ~Pen() { cairo().destroy(cr_); }
  Pen(const Pen&) = delete;
  Pen& operator=(const Pen&) = delete;

  void set_font(double size) {
    cairo().select_font_face(cr_, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    cairo().set_font_size(cr_, size);
    cairo_font_options_t* options = cairo().font_options_create();
    cairo().font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    cairo().font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo().font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo().set_font_options(cr_, options);
    cairo().font_options_destroy(options);
  }

  cairo_text_extents_t extents(const std::string& text) {
    cairo_text_extents_t extents{};
    cairo().text_extents(cr_, text.c_str(), &extents);
    return extents;
  }

  cairo_t* get() { return cr_; }

 private:
  cairo_t* cr_;
};

Canvas::Canvas(Picture* picture)
    : picture_(picture), surface_(surface_of(picture->pixels.data(), picture->width, picture->height)) {
  CSIM_REQUIRE(std::ssize(picture->pixels) == 1L * picture->width * picture->height);
  constexpr double kLarge = 100.0;
  Pen pen(*this, Color::Zero(), 1.0);
  pen.set_font(kLarge);
  const double capital = pen.extents("H").height;
  font_size_ = capital > 0.0 ? kLarge / capital : 1.0;
}

Canvas::~Canvas() = default;

void Canvas::box(double x0, double y0, double x1, double y1, const Color& color, double opacity) {
  Pen pen(*this, color, opacity);
  cairo().move_to(pen.get(), x0, y0);
  cairo().line_to(pen.get(), x1, y0);
  cairo().line_to(pen.get(), x1, y1);
  cairo().line_to(pen.get(), x0, y1);
  cairo().fill(pen.get());
}

void Canvas::polygon(std::initializer_list<Vector2> corners, const Color& color) {
  Pen pen(*this, color, 1.0);
  for (const Vector2& corner : corners) cairo().line_to(pen.get(), corner.x(), corner.y());
  cairo().fill(pen.get());
}

void Canvas::text(double x, double y, double height, const std::string& text, const Color& color,
                  bool from_right) {
  Pen pen(*this, color, 1.0);
  pen.set_font(height * font_size_);
  cairo().move_to(pen.get(), from_right ? x - pen.extents(text).x_advance : x, y);
  cairo().show_text(pen.get(), text.c_str());
}

double Canvas::text_width(const std::string& text, double height) const {
  Pen pen(*this, Color::Zero(), 1.0);
  pen.set_font(height * font_size_);
  return pen.extents(text).x_advance;
}

std::string png_bytes(const Picture& picture) {
  // The writer reads the pixels only.
  const auto surface =
      surface_of(const_cast<std::uint32_t*>(picture.pixels.data()), picture.width, picture.height);
  const auto append = [](void* bytes, const unsigned char* data, unsigned length) {
    static_cast<std::string*>(bytes)->append(reinterpret_cast<const char*>(data), length);
    return CAIRO_STATUS_SUCCESS;
  };
  std::string bytes;
  const cairo_status_t status = cairo().surface_write_to_png_stream(surface.get(), append, &bytes);
  CSIM_REQUIRE(status == CAIRO_STATUS_SUCCESS, static_cast<int>(status));
  return bytes;
}

}  // namespace csim
