#include "core/xml.h"

#include <algorithm>
#include <pugixml.hpp>

namespace csim {
namespace {

/// The first element at or after a node among its siblings: comments and text are nodes, too.
pugi::xml_node element_from(pugi::xml_node node) {
  while (node && node.type() != pugi::node_element) node = node.next_sibling();
  return node;
}

}  // namespace

std::string TextPlace::prefix() const {
  return "line " + std::to_string(line) + ", column " + std::to_string(column) + ": ";
}

std::string_view XmlElement::name() const {
  return pugi::xml_node(node_).name();
}

std::string_view XmlElement::attribute(const char* name) const {
  return pugi::xml_node(node_).attribute(name).value();
}

bool XmlElement::has_attribute(const char* name) const {
  return !pugi::xml_node(node_).attribute(name).empty();
}

std::string XmlElement::text() const {
  std::string text;
  for (const pugi::xml_node node : pugi::xml_node(node_)) {
    if (node.type() == pugi::node_pcdata || node.type() == pugi::node_cdata) text += node.value();
  }
  return text;
}

XmlElement XmlElement::first_child() const {
  return XmlElement(element_from(pugi::xml_node(node_).first_child()).internal_object());
}

XmlElement XmlElement::child(const char* name) const {
  return XmlElement(pugi::xml_node(node_).child(name).internal_object());
}

XmlElement XmlElement::next() const {
  return XmlElement(element_from(pugi::xml_node(node_).next_sibling()).internal_object());
}

XmlDocument::XmlDocument(std::string_view bytes)
    : bytes_(bytes), document_(std::make_unique<pugi::xml_document>()) {
  // The encoding is fixed, since a conversion would move the offsets that places are computed from.
  const pugi::xml_parse_result result =
      document_->load_buffer(bytes.data(), bytes.size(), pugi::parse_default, pugi::encoding_utf8);
  if (result) return;
  const bool is_empty = result.status == pugi::status_no_document_element;
  error_place_ = place(is_empty ? 0 : result.offset);
  error_ = error_place_.prefix() + "XML: " + (is_empty ? "no element in the file" : result.description());
}

XmlDocument::~XmlDocument() = default;

XmlElement XmlDocument::root() const {
  return XmlElement(document_->document_element().internal_object());
}

TextPlace XmlDocument::place(XmlElement element) const {
  return place(pugi::xml_node(element.node_).offset_debug() - 1);
}

TextPlace XmlDocument::place(std::ptrdiff_t offset) const {
  const std::size_t end = std::clamp<std::ptrdiff_t>(offset, 0, std::ssize(bytes_));
  const std::string_view before = bytes_.substr(0, end);
  const std::size_t line_begin = before.rfind('\n') + 1;  // 0 without a line end: npos + 1
  return {1 + std::count(before.begin(), before.end(), '\n'), static_cast<long>(end - line_begin) + 1};
}

}  // namespace csim
