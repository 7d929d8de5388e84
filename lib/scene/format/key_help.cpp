#include "scene/format/key_help.h"

#include <algorithm>
#include <sstream>

#include "core/nearest_name.h"
#include "scene/format/schema.h"
#include "scene/help/synonyms.h"

namespace csim {
namespace {

using Words = std::vector<std::string>;

constexpr size_t kLineLength = 100;  // of the text that is printed
constexpr size_t kPlacesNamed = 3;   // of a row that stands in many places

/// A row, and every path that leads to it.
struct Place {
  std::string file;
  const Section* section;
  const Field* field;
  std::vector<Words> paths;
};

bool holds_named_elements(const Field& field) {
  return field.type == FieldType::kSectionList || field.type == FieldType::kSectionMap;
}

/// Every row below `section`, a mapping that stands at `path`, with all its paths. `open`: the mappings that
/// lead here, which are not entered again.
void collect(const std::string& file, const Section& section, const Words& path,
             std::vector<const Section*>* open, std::vector<Place>* places) {
  if (std::find(open->begin(), open->end(), &section) != open->end()) return;
  open->push_back(&section);
  for (const Field& field : section.fields) {
    Words here = path;
    here.push_back(field.key);
    auto place =
        std::find_if(places->begin(), places->end(), [&](const Place& p) { return p.field == &field; });
    if (place == places->end()) place = places->insert(places->end(), {file, &section, &field, {}});
    place->paths.push_back(here);
    if (holds_named_elements(field)) here.back() += '*';
    if (field.section != nullptr) collect(file, *field.section, here, open, places);
    for (const Section* other : field.alternatives) collect(file, *other, here, open, places);
  }
  open->pop_back();
}

std::vector<Place> places_of(const std::vector<HelpFormat>& formats) {
  std::vector<Place> places;
  for (const HelpFormat& format : formats) {
    std::vector<const Section*> open;
    collect(format.file, *format.section, format.path, &open, &places);
  }
  for (Place& place : places)
    std::stable_sort(place.paths.begin(), place.paths.end(),
                     [](const Words& a, const Words& b) { return a.size() < b.size(); });
  return places;
}

Words split(const std::string& query) {
  Words words;
  std::istringstream stream(query);
  for (std::string word; std::getline(stream, word, '.');) words.push_back(word);
  return words;
}

/// Whether the last keys of `path` are `words`; behind a key of a list (marked *) `words` may name an
/// element.
bool ends_with(const Words& path, const Words& words) {
  size_t j = words.size();
  for (size_t i = path.size(); i > 0 && j > 0; --i) {
    const bool of_elements = path[i - 1].ends_with('*');
    const std::string key = of_elements ? path[i - 1].substr(0, path[i - 1].size() - 1) : path[i - 1];
    if (of_elements && words[j - 1] != key && --j == 0) return false;
    if (words[j - 1] != key) return false;
    --j;
  }
  return j == 0;
}

bool ends_with(const Place& place, const Words& words) {
  return std::any_of(place.paths.begin(), place.paths.end(),
                     [&](const Words& path) { return ends_with(path, words); });
}

std::string joined(const Words& path) {
  std::string text;
  for (const std::string& key : path) {
    text += (text.empty() ? "" : ".") + key;
    if (text.ends_with('*')) text.pop_back();
  }
  return text;
}

/// Text in lines of kLineLength, each behind `indent`.
std::string in_lines(const std::string& text, const std::string& indent) {
  std::string lines, line;
  std::istringstream stream(text);
  for (std::string word; stream >> word;) {
    if (!line.empty() && indent.size() + line.size() + 1 + word.size() > kLineLength) {
      lines += indent + line + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  return line.empty() ? lines : lines + indent + line + "\n";
}

/// What may stand at a key.
std::string value(const Field& field) {
  if (field.section == nullptr) return field.expected();
  std::string text = field.section->title;
  for (const Section* other : field.alternatives) text += ", " + other->title;
  if (field.type == FieldType::kSectionList) return "a list, each element " + text;
  if (field.type == FieldType::kSectionMap)
    return "names, each with " + text + (field.number ? " or a number" : "");
  if (!field.lengths.empty()) text += " or a list of " + std::to_string(field.lengths[0]) + " numbers";
  return text + (field.number ? " or a number" : "");
}

/// The row: value and default, meaning, example.
std::string row(const Field& field, const std::string& meaning, const std::string& indent) {
  std::string first = value(field);
  if (field.required) first += "; required";
  if (!field.default_text.empty()) first += "; default " + field.default_text;
  return in_lines(first, indent) + in_lines(meaning, indent) +
         in_lines("Example: " + field.key + ": " + field.example, indent);
}

/// "materials.friction", of several places the first ones that the query fits.
std::string title(const Place& place, const Words& words) {
  Words found;
  for (const Words& path : place.paths)
    if (ends_with(path, words)) found.push_back(joined(path));
  std::string text;
  for (size_t i = 0; i < std::min(found.size(), kPlacesNamed); ++i) text += (i == 0 ? "" : ", ") + found[i];
  if (found.size() > kPlacesNamed)
    text += " and " + std::to_string(found.size() - kPlacesNamed) + " other places";
  return text;
}

/// The keys of a mapping that `belongs` accepts, by name.
template <class Belongs>
std::string keys(const std::string& intro, const Section& section, Belongs belongs) {
  std::string names;
  for (const Field& field : section.fields)
    if (belongs(field)) names += (names.empty() ? "" : ", ") + field.key;
  return names.empty() ? "" : in_lines(intro + names, "    ");
}

std::string key_block(const Place& place, const Words& words) {
  std::string text = title(place, words) + "  (" + place.file + ")\n" +
                     row(*place.field, field_meaning(*place.field), "    ");
  const auto all = [](const Field&) { return true; };
  if (place.field->section == nullptr) return text;
  text += keys("Keys of " + place.field->section->title + ": ", *place.field->section, all);
  for (const Section* other : place.field->alternatives)
    text += keys("Keys of " + other->title + ": ", *other, all);
  return text;
}

/// A value of a key, with the rows that only some values know and this one does.
std::string value_block(const Place& place, const Words& words, const std::string& word) {
  std::string text = title(place, words) + ": " + word + "  (" + place.file + ")\n" +
                     row(*place.field, field_meaning(*place.field), "    ");
  if (place.section->discriminator != place.field->key) return text;
  const auto of_word = [&](const Field& field) {
    return std::find(field.only_for.begin(), field.only_for.end(), word) != field.only_for.end();
  };
  for (const Field& field : place.section->fields)
    if (of_word(field)) text += "  " + field.key + "\n" + row(field, field.description, "      ");
  return text + keys("Keys whatever the " + place.field->key + ": ", *place.section, [&](const Field& field) {
           return field.only_for.empty() && field.key != place.field->key;
         });
}

bool names_section(const Field& field, const std::string& query) {
  const auto named = [&](const Section* section) { return section != nullptr && section->name == query; };
  return named(field.section) || std::any_of(field.alternatives.begin(), field.alternatives.end(), named);
}

/// Whether `word` stands in a key between underscores or its ends.
bool has_word(const std::string& key, const std::string& word) {
  return ("_" + key + "_").find("_" + word + "_") != std::string::npos;
}

/// Whether a value of the field may be a mapping with the key `word`: "mean, median or {quantile:
/// PROBABILITY}".
bool has_form(const Field& field, const std::string& word) {
  return field.expects.find("{" + word + ":") != std::string::npos;
}

Words one_or_none(const std::string& name) {
  return name.empty() ? Words{} : Words{name};
}

/// What other tools call `word`, else the nearest name.
std::string suggestion(const std::string& word, const Words& known, const std::string& prefix) {
  Words names = synonyms(word, known);
  if (names.empty()) return did_you_mean(word, known, prefix);
  for (std::string& name : names) name.insert(0, prefix);
  return did_you_mean_one_of(names);
}

}  // namespace

std::string key_help(const std::vector<HelpFormat>& formats, const std::string& query) {
  const Words words = split(query);
  if (words.empty()) return "";
  const Words before(words.begin(), words.end() - 1);
  const std::vector<Place> places = places_of(formats);
  std::string text;
  const auto add = [&](const std::string& block) { text += (text.empty() ? "" : "\n") + block; };
  for (const Place& place : places)
    if (ends_with(place, words)) add(key_block(place, words));
  for (const Place& place : places)
    if (names_section(*place.field, query) && !ends_with(place, words)) add(key_block(place, {}));
  for (const Place& place : places)
    if (place.field->choice_index(words.back()) >= 0 && ends_with(place, before))
      add(value_block(place, before, words.back()));
  if (!text.empty() || !before.empty()) return text;
  for (const Place& place : places)
    if (has_word(place.field->key, query) || has_form(*place.field, query))
      add(key_block(place, {place.field->key}));
  return text;
}

std::vector<std::string> key_help_words(const std::vector<HelpFormat>& formats) {
  std::vector<std::string> words;
  for (const Place& place : places_of(formats)) {
    words.push_back(joined(place.paths.front()));
    if (place.section->discriminator != place.field->key) continue;
    for (const Choice& choice : place.field->choices) words.push_back(choice.name);
  }
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return words;
}

std::string nearest_key_help(const std::vector<HelpFormat>& formats, const std::string& query,
                             const std::vector<std::string>& other_words) {
  Words known = other_words, paths;
  const std::vector<Place> places = places_of(formats);
  for (const Place& place : places) {
    known.push_back(place.field->key);
    for (const Choice& choice : place.field->choices) known.push_back(choice.name);
    for (const Words& path : place.paths) paths.push_back(joined(path));
  }
  const size_t dot = query.rfind('.');
  const std::string prefix = query.substr(0, dot == std::string::npos ? 0 : dot + 1);
  const std::string word = query.substr(prefix.size());
  // Of a path the last word is most often the wrong one: the keys beside it come first.
  Words beside;
  for (const Place& place : places) {
    const auto leads_here = [&](Words path) {
      path.pop_back();
      return ends_with(path, split(query.substr(0, dot)));
    };
    if (!prefix.empty() && std::any_of(place.paths.begin(), place.paths.end(), leads_here))
      beside.push_back(place.field->key);
  }
  std::string found = suggestion(word, beside, prefix);
  if (found.empty() && !prefix.empty()) found = did_you_mean_one_of(one_or_none(nearest_name(query, paths)));
  return found.empty() ? suggestion(word, known, "") : found;
}

}  // namespace csim
