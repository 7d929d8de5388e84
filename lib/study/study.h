// A study as its file gives it: a scene, the keys that change, what is measured, what must hold. Plain
// structs; the format is documented in schemas/study.schema.json and docs/studies.md.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "scene/yaml/scene_source.h"
#include "study/assignment.h"
#include "study/expression.h"
#include "study/fit_options.h"
#include "study/measure.h"
#include "study/statistics.h"

namespace csim {

/// One entry of `vary`, expanded: the assignments that it stands for, all of the same keys.
struct Vary {
  std::vector<std::string> keys;
  std::vector<Assignment> rows;
};

/// A number of a result, or an expression over other measures.
struct Measure {
  std::string name;
  MeasureSpec spec;  // not of an expression
  std::optional<Expression> expression;
  std::vector<int> operands;  // measures of the expression's names; -1 while they are read: reported
  std::string units;          // of the expression
  std::string path;           // key path in the study file, for problems
};

enum class ReferenceKind { kNone, kCase, kFinest, kFile, kMeasured, kValues, kRichardson };

/// Curves in a file that is no result: which of its columns are whose.
struct Measured {
  std::string file;  // absolute; "" while each case names its own
  std::string name;  // the same as messages say it
  bool is_hdf5 = false;
  std::string time = "time";                                // column or dataset, s
  std::map<std::string, std::vector<std::string>> columns;  // by measure: columns, or one dataset [rows, ..]
  Assignment where;                                         // of CSV: rows whose columns have these values
  std::string group = "/";                                  // of HDF5: where the datasets are
};

struct Reference {
  ReferenceKind kind = ReferenceKind::kNone;
  Assignment changes;                    // kCase
  std::string file;                      // kFile, absolute; "" while each case names its own
  Measured measured;                     // kMeasured
  std::map<std::string, double> values;  // kValues, by measure
  std::string path;
};

enum class AnalysisType { kConvergence, kTable, kPlot, kHistogram, kFit };
enum class PlotScale { kLinear, kLogLog, kLogX, kLogY };

struct Analysis {
  AnalysisType type = AnalysisType::kTable;
  std::string name;
  std::vector<int> measures;  // convergence, table, histogram, fit
  std::string path;

  // Convergence.
  std::string over;     // a varied key
  Reference reference;  // kNone: the study's
  int last_rungs = 0;   // finest rungs that count; 0: all
  Assignment co_refine;
  std::optional<double> assumed_order;

  int bins = 0;  // histogram; 0: by Sturges' rule

  FitOptions fit;

  // Plot.
  std::string x, y, per;  // x: a varied key or a measure; y: a measure; per: a varied key or ""
  PlotScale scale = PlotScale::kLinear;
};

struct Gate {
  std::string name;   // "" for none
  int measure = 0;    // -1: a key of a fit is judged
  int analysis = -1;  // of type convergence: its orders; of type fit; -1: the values of the cases are judged
  std::string key;    // of the fit
  Assignment where;
  std::optional<std::array<double, 2>> order;
  std::optional<double> max, min, value;
  double rtol = 0.0, atol = 0.0;
  Statistic of;                 // of the cases: what the bounds hold
  std::optional<double> share;  // of the cases, 0 to 1: as many have to hold, at the least
  std::string path;
};

struct Study {
  std::string file;  // as the user named it
  std::string name;
  std::string scene;                   // absolute, lexically normal
  Assignment set;                      // of the file, with those of the command line in their place
  std::vector<std::string> arguments;  // KEY=VALUE of the command line
  std::vector<Vary> vary;
  std::vector<Assignment> skip;
  bool keeps_results = true;  // `keep`; else the numbers of the measures alone
  std::vector<Measure> measures;
  std::vector<int> expressions;  // those that are, each behind its operands
  Reference reference;
  std::vector<Analysis> analyses;
  std::vector<Gate> gates;
  SceneSource source;  // places of problems

  /// All varied keys, in the order of `vary`.
  [[nodiscard]] std::vector<std::string> varied_keys() const;
  /// The measures of results that a measure rests on: itself, unless it is an expression.
  [[nodiscard]] std::vector<int> sources_of(int measure) const;
  /// Whether a difference to the reference is among these.
  [[nodiscard]] bool uses_difference(int measure) const;
  /// Whether a gate judges orders of an analysis of type convergence, or what a fit found.
  [[nodiscard]] bool judges(const Gate& gate, AnalysisType type) const {
    return gate.analysis >= 0 && analyses[static_cast<std::size_t>(gate.analysis)].type == type;
  }
  /// The reference that an analysis goes by: its own, else the study's.
  [[nodiscard]] const Reference& reference_of(const Analysis& analysis) const {
    return analysis.reference.kind != ReferenceKind::kNone ? analysis.reference : reference;
  }
};

/// KEY=VALUE of each key of a case's scene, as --set takes them: `set`, then the case's own.
[[nodiscard]] std::vector<std::string> overrides_of(const Study& study, const Assignment& values);

/// KEY=VALUE of each key but those that say what a case's reference is.
[[nodiscard]] std::vector<std::string> as_overrides(const Assignment& values);

/// The command line's --set again: "--set", "KEY=VALUE", ..
[[nodiscard]] std::vector<std::string> set_options(const Study& study);

/// The value of a key in an assignment (`a[0]` and `a.0` are the same key), or nullptr.
[[nodiscard]] const KeyValue* find_key(const Assignment& assignment, const std::string& key);

/// Whether two values are the same: numbers to 1e-9 relative, text by its letters, lists by their elements.
[[nodiscard]] bool is_same_value(const YamlNode& a, const YamlNode& b);

/// Whether `assignment` has every key of `condition` with its value.
[[nodiscard]] bool meets(const Assignment& assignment, const Assignment& condition);

/// `base` with the keys of `changes` changed or added.
[[nodiscard]] Assignment with_changes(Assignment base, const Assignment& changes);

/// The number that a value is, if it is one.
[[nodiscard]] std::optional<double> number_of(const YamlNode& value);

/// "contact.model: sap, time.step: 0.008"; "" for no keys.
[[nodiscard]] std::string describe(const Assignment& assignment);

}  // namespace csim
