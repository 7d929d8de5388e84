#include <algorithm>
#include <limits>
#include <utility>

#include "core/number_format.h"
#include "geometry/file_cursor.h"
#include "mesh/tet_files.h"

namespace csim {

namespace {

constexpr int kGmshTetra = 4;

struct ElementType {
  int num_nodes = 0;  // 0: unknown
  int dimension = 0;
};

/// Gmsh's element types (reference manual, "MSH file format"); [0] stands for none.
ElementType element_type(std::int64_t type) {
  constexpr std::array<std::pair<int, int>, 32> kTypes{
      {{0, 0},  {2, 1},  {3, 2},  {4, 2},  {4, 3}, {8, 3}, {6, 3},  {5, 3},  {3, 1},  {6, 2}, {9, 2},
       {10, 3}, {27, 3}, {18, 3}, {14, 3}, {1, 0}, {8, 2}, {20, 3}, {15, 3}, {13, 3}, {9, 2}, {10, 2},
       {12, 2}, {15, 2}, {15, 2}, {21, 2}, {4, 1}, {5, 1}, {6, 1},  {20, 3}, {35, 3}, {56, 3}}};
  if (type < 0 || type >= static_cast<std::int64_t>(kTypes.size())) return {};
  return {kTypes[type].first, kTypes[type].second};
}

class GmshReader {
 public:
  GmshReader(std::string_view bytes, TetFileData* data) : cursor_(bytes), data_(data) {
    data->point_word = "node";
    data->tet_word = "element";
  }

  void read() {
    if (cursor_.word() != "$MeshFormat") throw FileFault{"line 1: a Gmsh file begins with '$MeshFormat'"};
    read_format();
    bool has_nodes = false, has_elements = false;
    while (true) {
      cursor_.set_encoding(Encoding::kText);
      const std::string section(cursor_.word());
      if (section.empty()) break;
      if (!section.starts_with("$")) fail("'" + section.substr(0, 20) + "', expected a section ($Name)");
      cursor_.line();
      if (section == "$Nodes") {
        has_nodes = true;
        is_4_ ? read_nodes_4() : read_nodes_2();
        sort_tags();
      } else if (section == "$Elements") {
        if (!has_nodes) fail("$Elements before $Nodes");
        has_elements = true;
        is_4_ ? read_elements_4() : read_elements_2();
      } else if (section == "$NodeData" && has_nodes) {
        read_node_data();
      }
      if (!cursor_.skip_past("$End" + section.substr(1)))
        fail("no $End" + section.substr(1, 30) + ": the file is cut off");
    }
    if (!has_nodes) throw FileFault{"no $Nodes"};
    if (!has_elements) throw FileFault{"no $Elements"};
  }

 private:
  void read_format() {
    double version = 0.0, is_binary = 0.0, size = 0.0;
    if (!cursor_.number(ScalarType::kDouble, &version) || !cursor_.number(ScalarType::kDouble, &is_binary) ||
        !cursor_.number(ScalarType::kDouble, &size)) {
      fail("version, file type and data size expected");
    }
    is_4_ = version == 4.1;
    if (!is_4_ && !(version >= 2.0 && version < 3.0)) {
      fail("format version " + std::to_string(version).substr(0, 3) +
           ", expected 2.2 or 4.1 (gmsh -save -format msh41)");
    }
    if (size != 8) fail("numbers of " + format_number(size) + " bytes, expected 8");
    if (is_binary != 0.0) {
      // The number 1 in the file's order of bytes.
      cursor_.line();
      double one = 0.0;
      binary_ = Encoding::kLittleEndian;
      FileCursor ahead = cursor_;
      ahead.set_encoding(binary_);
      if (ahead.number(ScalarType::kInt32, &one) && one != 1.0) binary_ = Encoding::kBigEndian;
    }
    if (!cursor_.skip_past("$EndMeshFormat")) fail("no $EndMeshFormat");
  }

  void read_nodes_2() {
    std::int64_t n = 0;
    if (!count_text(&n)) fail("the number of nodes expected");
    end_count_line();
    begin_numbers();
    for (std::int64_t i = 0; i < n; ++i) {
      std::int64_t tag = 0;
      if (!cursor_.count(ScalarType::kInt32, &tag)) fail_cut("a node's tag", n);
      add_node(tag, 0);
    }
  }

  void read_nodes_4() {
    begin_numbers();
    std::int64_t num_blocks = 0, n = 0, unused = 0;
    if (!count(&num_blocks) || !count(&n) || !count(&unused) || !count(&unused)) fail("four counts expected");
    for (std::int64_t block = 0; block < num_blocks; ++block) {
      double dimension = 0, entity = 0, parametric = 0;
      std::int64_t size = 0;
      if (!cursor_.number(ScalarType::kInt32, &dimension) || !cursor_.number(ScalarType::kInt32, &entity) ||
          !cursor_.number(ScalarType::kInt32, &parametric) || !count(&size)) {
        fail("a block of nodes expected");
      }
      std::vector<double> tags;
      if (!cursor_.numbers(ScalarType::kUint64, static_cast<std::size_t>(size), &tags))
        fail_cut("node tags", size);
      const int num_parameters =
          parametric != 0.0 && dimension >= 1.0 ? static_cast<int>(std::min(dimension, 3.0)) : 0;
      for (const double tag : tags) {
        if (!is_count(tag)) fail("a node's tag expected");
        add_node(static_cast<long>(tag), num_parameters);
      }
    }
  }

  void add_node(std::int64_t tag, int num_parameters) {
    Vector3 p;
    for (int i = 0; i < 3 + num_parameters; ++i) {
      double unused = 0.0;
      if (!cursor_.number(ScalarType::kDouble, i < 3 ? &p[i] : &unused)) {
        fail("node " + std::to_string(tag) + ": a coordinate expected");
      }
    }
    tags_.emplace_back(tag, static_cast<int>(data_->points.size()));
    data_->points.push_back(p);
    data_->point_number.push_back(tag);
  }

  void sort_tags() {
    std::sort(tags_.begin(), tags_.end());
    const auto twice = std::adjacent_find(tags_.begin(), tags_.end(),
                                          [](const auto& a, const auto& b) { return a.first == b.first; });
    if (twice != tags_.end()) throw FileFault{"node " + std::to_string(twice->first) + " is defined twice"};
  }

  /// -1 when there is no such node.
  [[nodiscard]] int index_of(std::int64_t tag) const {
    const auto found = std::lower_bound(tags_.begin(), tags_.end(), std::pair<std::int64_t, int>(tag, 0));
    return found != tags_.end() && found->first == tag ? found->second : -1;
  }

  /// Text: "tag type number-of-tags tags… nodes…" an element; binary: blocks of equal type and tags.
  void read_elements_2() {
    std::int64_t n = 0;
    if (!count_text(&n)) fail("the number of elements expected");
    end_count_line();
    begin_numbers();
    for (std::int64_t done = 0; done < n;) {
      std::int64_t tag = 0, type = 0, num_tags = 0, block = 1;
      const bool ok = cursor_.is_text() ? int32(&tag) && int32(&type) && int32(&num_tags)
                                        : int32(&type) && int32(&block) && int32(&num_tags);
      if (!ok || block < 1) fail_cut("an element's tag, type and number of tags", n);
      for (std::int64_t i = 0; i < block; ++i, ++done) {
        if (!cursor_.is_text() && !int32(&tag)) fail_cut("an element's tag", n);
        std::vector<double> tags;
        if (!cursor_.numbers(ScalarType::kInt32, static_cast<std::size_t>(num_tags), &tags))
          fail_cut("an element's tags", n);
        read_element(tag, type, ScalarType::kInt32);
      }
    }
  }

  void read_elements_4() {
    begin_numbers();
    std::int64_t num_blocks = 0, n = 0, unused = 0;
    if (!count(&num_blocks) || !count(&n) || !count(&unused) || !count(&unused)) fail("four counts expected");
    for (std::int64_t block = 0; block < num_blocks; ++block) {
      double dimension = 0, entity = 0;
      std::int64_t type = 0, size = 0;
      if (!cursor_.number(ScalarType::kInt32, &dimension) || !cursor_.number(ScalarType::kInt32, &entity) ||
          !int32(&type) || !count(&size)) {
        fail("a block of elements expected");
      }
      for (std::int64_t i = 0; i < size; ++i) {
        std::int64_t tag = 0;
        if (!count(&tag)) fail_cut("an element's tag", size);
        read_element(tag, type, ScalarType::kUint64);
      }
    }
  }

  /// The nodes of an element, which is kept when it is a tetrahedron.
  void read_element(std::int64_t tag, std::int64_t type, ScalarType node_type) {
    const std::string here = "element " + std::to_string(tag) + ": ";
    const ElementType known = element_type(type);
    if (known.num_nodes == 0 || (known.dimension == 3 && type != kGmshTetra)) {
      throw FileFault{here + "type " + std::to_string(type) + (type == 11 ? " (quadratic tetrahedron)" : "") +
                      ", expected linear tetrahedra (type 4)" +
                      (type == 11 ? "; save the mesh with elements of first order (gmsh -order 1)" : "")};
    }
    std::vector<double> nodes;
    if (!cursor_.numbers(node_type, static_cast<std::size_t>(known.num_nodes), &nodes)) {
      fail(here + std::to_string(known.num_nodes) + " nodes expected");
    }
    if (type != kGmshTetra) {
      ++data_->num_skipped;
      return;
    }
    std::array<int, 4> tet{};
    for (int i = 0; i < 4; ++i) {
      tet[i] = is_count(nodes[i]) ? index_of(static_cast<std::int64_t>(nodes[i])) : -1;
      if (tet[i] < 0) {
        throw FileFault{here + "node " + format_number(nodes[i]) + " does not exist"};
      }
    }
    data_->tets.push_back(tet);
    data_->tet_number.push_back(static_cast<long>(tag));
  }

  /// String tags (the first is the name), real tags, integer tags (step, components, count), then a node and
  /// its values a row.
  void read_node_data() {
    std::int64_t num_strings = 0, num_reals = 0, num_integers = 0, unused = 0;
    std::string name;
    if (!count_text(&num_strings)) fail("the number of string tags expected");
    cursor_.line();
    for (std::int64_t i = 0; i < num_strings && !cursor_.at_end(); ++i) {
      const std::string_view line = cursor_.line();
      if (i > 0) continue;
      name = line.substr(0, line.find_last_not_of(" \"") + 1);
      name.erase(0, std::min(name.find_first_not_of(" \""), name.size()));
    }
    std::vector<double> reals, integers;
    if (!count_text(&num_reals) ||
        !cursor_.numbers(ScalarType::kDouble, static_cast<std::size_t>(num_reals), &reals) ||
        !count_text(&num_integers) ||
        !cursor_.numbers(ScalarType::kInt64, static_cast<std::size_t>(num_integers), &integers)) {
      fail("the tags of node data expected");
    }
    if (!is_pressure_name(name)) return;
    if (integers.size() < 3 || integers[1] != 1 || !is_count(integers[2])) {
      fail("node data '" + name + "' of one component and a count of nodes expected");
    }
    const auto n = static_cast<std::int64_t>(integers[2]);
    PointScalars scalars{name,
                         std::vector<double>(data_->points.size(), std::numeric_limits<double>::quiet_NaN())};
    end_count_line();
    begin_numbers();
    for (std::int64_t i = 0; i < n; ++i) {
      double value = 0.0;
      if (!cursor_.count(ScalarType::kInt32, &unused) || !cursor_.number(ScalarType::kDouble, &value)) {
        fail_cut("a node and its value", n);
      }
      const int index = index_of(unused);
      if (index < 0) fail("node data '" + name + "': node " + std::to_string(unused) + " does not exist");
      scalars.values[index] = value;
    }
    data_->scalars.push_back(std::move(scalars));
  }

  /// From here on numbers are in the file's encoding.
  void begin_numbers() { cursor_.set_encoding(binary_); }
  /// A count in text ends with its line where binary numbers follow.
  void end_count_line() {
    if (binary_ != Encoding::kText) cursor_.line();
  }
  bool count(std::int64_t* value) { return cursor_.count(ScalarType::kUint64, value); }
  bool count_text(std::int64_t* value) { return cursor_.count(ScalarType::kInt64, value); }
  bool int32(std::int64_t* value) { return cursor_.count(ScalarType::kInt32, value); }

  [[noreturn]] void fail(const std::string& what) const { throw FileFault{cursor_.place() + ": " + what}; }
  [[noreturn]] void fail_cut(const std::string& what, std::int64_t n) const {
    fail(what + " expected, one of " + std::to_string(n) + "; the file is cut off or damaged");
  }

  FileCursor cursor_;
  TetFileData* data_;
  Encoding binary_ = Encoding::kText;
  bool is_4_ = false;
  std::vector<std::pair<std::int64_t, int>> tags_;  // tag, index; sorted
};

}  // namespace

void read_gmsh(std::string_view bytes, TetFileData* data) {
  GmshReader(bytes, data).read();
}

}  // namespace csim
