#include "study/shell_words.h"

#include <cctype>

namespace csim {

std::string shell_word(const std::string& word) {
  bool plain = !word.empty();
  for (const char c : word) {
    const auto byte = static_cast<unsigned char>(c);
    plain = plain && (std::isalnum(byte) != 0 || std::string("_-+./:,=@%").find(c) != std::string::npos);
  }
  if (plain) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

std::string shell_command(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + shell_word(word);
  return text;
}

}  // namespace csim
