// A reader of files that mix text and binary numbers: a position that moves over the bytes of a whole file.
// Of our own, as the readers of PLY, VTK and Gmsh files are: the libraries of these formats (VTK, Gmsh) are
// larger than this program and slow to load.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace csim {

enum class Encoding { kText, kLittleEndian, kBigEndian };

enum class ScalarType { kInt8, kUint8, kInt16, kUint16, kInt32, kUint32, kInt64, kUint64, kFloat, kDouble };

/// Bytes of a scalar in binary files.
[[nodiscard]] std::size_t size_of(ScalarType type);

/// The type of a name in files of a format (legacy VTK: in capitals).
enum class TypeNames { kPly, kLegacyVtk, kVtkXml };
[[nodiscard]] std::optional<ScalarType> scalar_type(TypeNames format, std::string_view name);

class FileCursor {
 public:
  /// Keeps a view of `bytes`, which must outlive it. Numbers are text until set_encoding says otherwise.
  explicit FileCursor(std::string_view bytes, Encoding encoding = Encoding::kText)
      : bytes_(bytes), encoding_(encoding) {}

  void set_encoding(Encoding encoding) { encoding_ = encoding; }
  [[nodiscard]] bool is_text() const { return encoding_ == Encoding::kText; }
  [[nodiscard]] std::string_view rest() const { return bytes_.substr(position_); }
  [[nodiscard]] bool at_end() const { return position_ >= bytes_.size(); }

  /// Moves to just behind the next occurrence of `text`; false when there is none.
  bool skip_past(std::string_view text);
  /// Moves over `count` bytes; false when there are fewer.
  bool skip(std::size_t count);
  void skip_white_space();

  /// The rest of the line, without its end.
  std::string_view line();
  /// The next word, over the ends of lines; empty at the end of the file.
  std::string_view word();

  /// The next number, in the encoding; false at the end or at a word that is none. Integers beyond 2^53 lose
  /// digits.
  bool number(ScalarType type, double* value);
  /// The next `count` numbers; false when the file does not hold them. Never allocates more than a small
  /// multiple of the file's size.
  bool numbers(ScalarType type, std::size_t count, std::vector<double>* values);
  /// A number that is a count or an index: whole and in [0, 2^53].
  bool count(ScalarType type, std::int64_t* value);

  /// Where the cursor stands, for complaints: "line 7", or "byte 4711" in the middle of binary numbers.
  [[nodiscard]] std::string place() const;

 private:
  std::string_view bytes_;
  std::size_t position_ = 0;
  Encoding encoding_;
};

/// True for a number without a fraction in [0, 2^53], where doubles are exact.
[[nodiscard]] bool is_count(double value);

}  // namespace csim
