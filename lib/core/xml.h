// XML documents as trees of elements, each with its place in the file. Parsed by pugixml.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace pugi {
class xml_document;
struct xml_node_struct;
}  // namespace pugi

namespace csim {

struct TextPlace {
  long line = 1, column = 1;  // from 1; columns in bytes

  /// "line 7, column 3: ", the begin of a complaint.
  [[nodiscard]] std::string prefix() const;
};

/// An element of a document, or none (`!element`); none has no name, attributes, text or children. A handle:
/// it is valid as long as the document, and so are the views that it returns.
class XmlElement {
 public:
  XmlElement() = default;
  explicit operator bool() const { return node_ != nullptr; }

  [[nodiscard]] std::string_view name() const;
  /// The value, with entities replaced; empty without such an attribute.
  [[nodiscard]] std::string_view attribute(const char* name) const;
  [[nodiscard]] bool has_attribute(const char* name) const;
  /// All text directly in the element, without that of its children.
  [[nodiscard]] std::string text() const;
  /// The first child; that of a name; the next element beside this one.
  [[nodiscard]] XmlElement first_child() const;
  [[nodiscard]] XmlElement child(const char* name) const;
  [[nodiscard]] XmlElement next() const;

 private:
  friend class XmlDocument;
  explicit XmlElement(pugi::xml_node_struct* node) : node_(node) {}

  pugi::xml_node_struct* node_ = nullptr;
};

class XmlDocument {
 public:
  /// Parses UTF-8 text, of which it keeps a copy beside the view, which must outlive the document.
  explicit XmlDocument(std::string_view bytes);
  ~XmlDocument();
  XmlDocument(const XmlDocument&) = delete;
  XmlDocument& operator=(const XmlDocument&) = delete;

  /// What is wrong, with its place; empty for well-formed text.
  [[nodiscard]] const std::string& error() const { return error_; }
  /// The same without its place, and the place.
  [[nodiscard]] std::string error_text() const { return error_.substr(error_place_.prefix().size()); }
  [[nodiscard]] TextPlace error_place() const { return error_place_; }
  [[nodiscard]] XmlElement root() const;
  /// Where the '<' of an element stands. Counts the lines from the begin of the file: for complaints.
  [[nodiscard]] TextPlace place(XmlElement element) const;

 private:
  [[nodiscard]] TextPlace place(std::ptrdiff_t offset) const;

  std::string_view bytes_;
  std::unique_ptr<pugi::xml_document> document_;
  std::string error_;
  TextPlace error_place_;
};

}  // namespace csim
