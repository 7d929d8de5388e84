// Words to write the rows of the table in fields.h with. A row binds a key to a member of the struct that its
// section describes: number("step", &TimeSpec::step, "s", kPositive, "…", "5.0e-4"), the last being an
// example. Its default is the member's initial value. Rows of features that are not built have no member.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "scene/format/fields.h"
#include "scene/format/member_value.h"
#include "scene/format/rows_io.h"

namespace csim::field_rows {

inline const Bounds kAny;
inline const Bounds kPositive{.min = 0.0, .above_min = true};
inline const Bounds kNonNegative{.min = 0.0};
inline const Bounds kNonZero{.not_zero = true};

/// "a b c" -> {"a", "b", "c"}.
std::vector<std::string> words(const std::string& text);
/// "lagged sap !tamsi": an exclamation mark stands before what is not supported yet.
std::vector<Choice> choices(const std::string& text);

/// The struct of rows without a member.
struct Unbound {};

/// A row of a section that describes a T, built by chained calls.
template <class T>
struct Row {
  Field field;
  bool has_default = true;

  Row() = default;
  /// Rows without a member stand in every section.
  template <class U>
  requires(std::is_same_v<U, Unbound> && !std::is_same_v<T, Unbound>) Row(Row<U>&& row)
      : field(std::move(row.field)), has_default(row.has_default) {}

  /// In place of the member's initial value.
  Row&& by_default(std::string text) && {
    field.default_text = std::move(text);
    return std::move(*this);
  }
  /// Without the key the value follows from others, or there is none.
  Row&& no_default() && {
    has_default = false;
    field.default_text.clear();
    return std::move(*this);
  }
  Row&& required() && {
    field.required = true;
    return std::move(*this).no_default();
  }
  Row&& within_bounds(const char* unit, Bounds bounds) && {  // of numbers beside a mapping
    field.unit = unit;
    field.bounds = bounds;
    return std::move(*this);
  }
  Row&& or_word(const std::string& text) && {  // words beside numbers
    field.choices = choices(text);
    return std::move(*this);
  }
  Row&& or_number() && {  // a number beside a list or mapping
    field.number = true;
    return std::move(*this);
  }
  Row&& or_keys_of(const Section& alternative) && {  // the keys of another section
    field.alternatives.push_back(&alternative);
    return std::move(*this);
  }
  Row&& or_list(int length) && {  // a list of numbers beside a mapping
    field.lengths = {length};
    return std::move(*this);
  }
  Row&& only_for(const std::string& values) && {
    field.only_for = words(values);
    return std::move(*this);
  }
  Row&& required_for(const std::string& values) && {
    field.required_for = words(values);
    if (field.required_for == field.only_for) has_default = false;
    return std::move(*this);
  }
  Row&& not_yet() && {  // in the format, not supported yet
    field.supported = false;
    return std::move(*this);
  }
  /// Written only where `condition` holds.
  Row&& when(bool (*condition)(const T&, const SceneWriting&)) && {
    field.binding.write = [condition, write = std::move(field.binding.write)](
                              const Field& row, const void* object,
                              const SceneWriting& writing) -> std::optional<YamlNode> {
      if (!condition(*static_cast<const T*>(object), writing)) return std::nullopt;
      return write(row, object, writing);
    };
    return std::move(*this);
  }
  /// A function in place of the member's own reading; it is called with or without the key.
  template <class S>
  Row<S> read_by(void (*read)(const SectionReader&, SceneReading*, S*)) && {
    field.binding.read = [read](const Field&, const SectionReader& reader, SceneReading* reading,
                                void* object) { read(reader, reading, static_cast<S*>(object)); };
    return std::move(*this).template of<S>();
  }
  /// A function in place of the member's own writing.
  template <class S>
  Row<S> written_by(std::optional<YamlNode> (*write)(const S&, const SceneWriting&)) && {
    field.binding.write = [write](const Field&, const void* object, const SceneWriting& writing) {
      return write(*static_cast<const S*>(object), writing);
    };
    return std::move(*this).template of<S>();
  }

 private:
  template <class S>
  Row<S> of() && {
    static_assert(std::is_same_v<S, T> || std::is_same_v<T, Unbound>);
    Row<S> row;
    row.field = std::move(field);
    row.has_default = has_default;
    return row;
  }
};

/// A member of a member: within(&GeometrySpec::shape, &ShapeSpec::radius).
template <class T, class S, class M>
struct Within {
  S T::*outer;
  M S::*inner;
};
template <class T, class S, class M>
Within<T, S, M> within(S T::*outer, M S::*inner) {
  return {outer, inner};
}

/// In place of the member of a row that has none: it is read or written by a function, or not built.
struct NoMember {};
inline constexpr NoMember kNoMember;

template <class Member>
struct MemberOf;
template <>
struct MemberOf<NoMember> {
  using Owner = Unbound;
};
template <class T, class M>
struct MemberOf<M T::*> {
  using Owner = T;
  using Type = M;
  static const M& in(const void* object, M T::*member) { return static_cast<const T*>(object)->*member; }
  static M& in(void* object, M T::*member) { return static_cast<T*>(object)->*member; }
};
template <class T, class S, class M>
struct MemberOf<Within<T, S, M>> {
  using Owner = T;
  using Type = M;
  using Member = Within<T, S, M>;
  static const M& in(const void* object, Member m) {
    return static_cast<const T*>(object)->*m.outer.*m.inner;
  }
  static M& in(void* object, Member m) { return static_cast<T*>(object)->*m.outer.*m.inner; }
};
template <class Member>
using RowFor = Row<typename MemberOf<Member>::Owner>;

/// Binds a row to a member that is a value of YAML.
inline Row<Unbound> bound(Row<Unbound> unbound, NoMember) {
  return unbound;
}
template <class Member>
RowFor<Member> bound(Row<Unbound> unbound, Member member) {
  using Of = MemberOf<Member>;
  RowFor<Member> row(std::move(unbound));
  row.field.binding = {
      [member](const Field& field, const SectionReader& reader, SceneReading* reading, void* object) {
        if (reader.has(field.key))
          Of::in(object, member) = read_member<typename Of::Type>(reader, field.key, *reading);
      },
      [member](const Field& field, const void* object, const SceneWriting&) {
        return write_member(Of::in(object, member), field);
      }};
  return row;
}

Row<Unbound> row(const char* key, FieldType type, const char* description, const char* example);

template <class Member>
RowFor<Member> number(const char* key, Member member, const char* unit, Bounds bounds,
                      const char* description, const char* example) {
  RowFor<Member> result = bound(row(key, FieldType::kNumber, description, example), member);
  result.field.unit = unit;
  result.field.bounds = bounds;
  return result;
}

template <class Member>
RowFor<Member> integer(const char* key, Member member, double min, const char* description,
                       const char* example) {
  RowFor<Member> result = bound(row(key, FieldType::kInteger, description, example), member);
  result.field.bounds = {.min = min, .max = 2147483647.0};
  return result;
}

template <class Member>
RowFor<Member> boolean(const char* key, Member member, const char* description, const char* example) {
  return bound(row(key, FieldType::kBoolean, description, example), member);
}

template <class Member>
RowFor<Member> name(const char* key, Member member, const char* description, const char* example) {
  return bound(row(key, FieldType::kName, description, example), member);
}

template <class Member>
RowFor<Member> names(const char* key, Member member, const char* description, const char* example) {
  return bound(row(key, FieldType::kNames, description, example), member);
}

template <class Member>
RowFor<Member> text(const char* key, Member member, const char* expects, const char* description,
                    const char* example) {
  RowFor<Member> result = bound(row(key, FieldType::kText, description, example), member);
  result.field.expects = expects;
  return result;
}

/// What the section's own reader takes apart.
inline Row<Unbound> any(const char* key, const char* expects, const char* description, const char* example) {
  Row<Unbound> result = row(key, FieldType::kAny, description, example);
  result.field.expects = expects;
  return result;
}

/// `values` in the order of the enumerators.
template <class Member>
RowFor<Member> choice(const char* key, Member member, const std::string& values, const char* description,
                      const char* example) {
  RowFor<Member> result = bound(row(key, FieldType::kChoice, description, example), member);
  result.field.choices = choices(values);
  return result;
}

template <class Member>
RowFor<Member> numbers(const char* key, Member member, std::vector<int> lengths, const char* unit,
                       Bounds bounds, const char* description, const char* example) {
  RowFor<Member> result = bound(row(key, FieldType::kNumbers, description, example), member);
  result.field.lengths = std::move(lengths);
  result.field.unit = unit;
  result.field.bounds = bounds;
  return result;
}

template <class Member>
RowFor<Member> vector3(const char* key, Member member, const char* unit, const char* description,
                       const char* example) {
  return numbers(key, member, {3}, unit, kAny, description, example);
}

template <class Member>
RowFor<Member> points(const char* key, Member member, const char* unit, const char* description,
                      const char* example) {
  RowFor<Member> result = bound(row(key, FieldType::kPoints, description, example), member);
  result.field.unit = unit;
  return result;
}

/// The name of something that stands elsewhere in the scene; the member is its index.
enum class Named { kMaterial, kBody, kBodyOrWorld, kJoint, kActuator };
int read_reference(const SectionReader& reader, const std::string& key, Named named,
                   const SceneReading& reading);
/// `writing`: with the names of its scene; not read for an index below 0.
std::optional<YamlNode> write_reference(int index, Named named, const SceneWriting& writing);

template <class Member>
RowFor<Member> reference(const char* key, Member member, Named named, const char* expects,
                         const char* description, const char* example) {
  using Of = MemberOf<Member>;
  RowFor<Member> result = text(key, kNoMember, expects, description, example);
  result.field.binding = {
      [member, named](const Field& field, const SectionReader& reader, SceneReading* reading, void* object) {
        Of::in(object, member) = read_reference(reader, field.key, named, *reading);
      },
      [member, named](const Field&, const void* object, const SceneWriting& writing) {
        return write_reference(Of::in(object, member), named, writing);
      }};
  return result;
}

/// Numbers per velocity coordinate of a joint, one for all; 0 by default.
Row<JointSpec> coordinates(const char* key, std::vector<double> JointSpec::*member, const char* unit,
                           Bounds bounds, const char* description, const char* example);

/// The default of a row: its own text, or what its binding writes of `initial` (nullptr: none).
void set_default(const void* initial, Field* field);

/// A section whose rows fill a T. `finish` runs after the rows are read.
template <class T>
struct SectionOf : Section {
  SectionOf(std::string section_name, std::string section_title, std::string about, std::string kind_key,
            std::vector<Row<T>> rows, void (*after)(const SectionReader&, SceneReading*, T*) = nullptr) {
    name = std::move(section_name);
    title = std::move(section_title);
    description = std::move(about);
    discriminator = std::move(kind_key);
    const T initial{};
    for (Row<T>& row : rows) {
      set_default(row.has_default ? &initial : nullptr, &row.field);
      fields.push_back(std::move(row.field));
    }
    if (after != nullptr) {
      finish = [after](const SectionReader& reader, SceneReading* reading, void* object) {
        after(reader, reading, static_cast<T*>(object));
      };
    }
  }
};

Row<Unbound> section_row(const char* key, FieldType type, const Section& keys, const char* description,
                         const char* example);

/// A mapping that fills a member, or another part of the same struct.
template <class Member, class S>
requires std::is_same_v<typename MemberOf<Member>::Type, S> RowFor<Member> mapping(
    const char* key, Member member, const SectionOf<S>& keys, const char* description, const char* example) {
  using Of = MemberOf<Member>;
  RowFor<Member> row = section_row(key, FieldType::kSection, keys, description, example);
  row.has_default = false;
  row.field.binding = {
      [member](const Field& field, const SectionReader& reader, SceneReading* reading, void* object) {
        read_rows(reader.section(field.key), reading, &Of::in(object, member));
      },
      [member](const Field& field, const void* object, const SceneWriting& writing) {
        return std::optional(write_rows(*field.section, &Of::in(object, member), writing));
      }};
  return row;
}
template <class T>
Row<T> mapping(const char* key, const SectionOf<T>& keys, const char* description, const char* example) {
  Row<T> row = section_row(key, FieldType::kSection, keys, description, example);
  row.has_default = false;
  row.field.binding = {[](const Field& field, const SectionReader& reader, SceneReading* reading,
                          void* object) { read_rows(reader.section(field.key), reading, object); },
                       [](const Field& field, const void* object, const SceneWriting& writing) {
                         return std::optional(write_rows(*field.section, object, writing));
                       }};
  return row;
}

/// A list of mappings, each of which fills an element.
template <class T, class S>
Row<T> list(const char* key, std::vector<S> T::*member, const SectionOf<S>& keys, const char* description,
            const char* example) {
  Row<T> row = section_row(key, FieldType::kSectionList, keys, description, example);
  row.field.binding = {
      [member](const Field& field, const SectionReader& reader, SceneReading* reading, void* object) {
        std::vector<S>& elements = static_cast<T*>(object)->*member;
        const YamlNode* node = reader.node(field.key);
        for (size_t i = 0; node != nullptr && i < node->items.size(); ++i) {
          S element;
          read_rows(reader.element(field.key, i), reading, &element);
          elements.push_back(std::move(element));
        }
      },
      [member](const Field& field, const void* object, const SceneWriting& writing) {
        YamlNode node = yaml_list();
        for (const S& element : static_cast<const T*>(object)->*member)
          node.items.push_back(write_rows(*field.section, &element, writing));
        return std::optional(std::move(node));
      }};
  return row;
}

}  // namespace csim::field_rows

namespace csim {

struct ModelSpec;

// The sections, in the files where their rows stand.
[[nodiscard]] const field_rows::SectionOf<Pose>& pose_section();
[[nodiscard]] const field_rows::SectionOf<MaterialSpec>& material_section();
[[nodiscard]] const field_rows::SectionOf<BodySpec>& body_section();
[[nodiscard]] const field_rows::SectionOf<JointSpec>& joint_section();
[[nodiscard]] const field_rows::SectionOf<ModelSpec>& model_section();
[[nodiscard]] const field_rows::SectionOf<ActuatorSpec>& actuator_section();
[[nodiscard]] const field_rows::SectionOf<ConstraintSpec>& constraint_section();
[[nodiscard]] const field_rows::SectionOf<CommandSpec>& command_section();
[[nodiscard]] const field_rows::SectionOf<MotionSpec>& pose_table_section();
[[nodiscard]] const field_rows::SectionOf<VectorCommandSpec>& vector_command_section();
[[nodiscard]] const field_rows::SectionOf<ForceSpec>& force_section();
[[nodiscard]] const field_rows::SectionOf<PhaseSpec>& phase_section();
[[nodiscard]] const field_rows::SectionOf<ContactSpec>& contact_section();
[[nodiscard]] const field_rows::SectionOf<SolverSpec>& solver_section();
[[nodiscard]] const field_rows::SectionOf<IntegratorSpec>& integrator_section();

}  // namespace csim
