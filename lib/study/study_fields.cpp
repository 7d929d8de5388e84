#include "study/study_fields.h"

#include "scene/format/field_rows.h"
#include "scene/format/schema.h"

namespace csim {

using namespace field_rows;

namespace {

using Keys = SectionOf<Unbound>;

const Section& measure_section() {
  static const Keys section{
      "measure",
      "a measure",
      "A number taken from the result of a case.",
      "",
      {
          text("dataset", kNoMember, "the path of a dataset in a result, such as trajectory/position",
               "Dataset of a result (schemas/results.md), without the first slash.", "trajectory/position")
              .required(),
          text("item", kNoMember, "the name of a body, joint, actuator or constraint",
               "Whose columns: a body, joint, actuator or constraint.", "box"),
          any("pair", "a list of two bodies or geometries",
              "Whose rows of contact, patch or pair: two bodies or geometries. Vectors are those on the "
              "second.",
              "[ground, box]"),
          any("component", "x, y, z, w, norm or an index",
              "Of a vector: x, y, z, w, norm or an index from 0.", "x"),
          any("reduce",
              "final, initial, max, min, max_abs, mean, rms, integral, range, count, difference, "
              "{crossing: LEVEL} or {at: TIME}",
              "How the rows become one number: final, initial, max, min, max_abs, mean, rms (over rows), "
              "integral (over time), range, count; {crossing: c}: time at which c is first met; {at: t}: "
              "value "
              "at a time; difference: rms of the distance to the reference's curve.",
              "final")
              .required(),
          numbers("window", kNoMember, {2}, "s", kAny, "Rows that count, from one time to another.",
                  "[0.5, 1.0]"),
      }};
  return section;
}

const Section& analysis_section() {
  static const Keys section{
      "analysis",
      "an analysis",
      "What is made of the measures: orders of convergence, a table, a plot, histograms, keys fitted to "
      "measurements.",
      "type",
      {
          choice("type", kNoMember, "convergence table plot histogram fit", "What it is.", "convergence")
              .required(),
          text("name", kNoMember, "a name", "Name; by default its type, with a number where it is taken.",
               "order"),
          any("measures", "a list of names of measures", "What is judged or shown.", "[x]")
              .required_for("convergence table histogram fit")
              .only_for("convergence table histogram fit"),
          integer("bins", kNoMember, 1,
                  "Bars, from the least value of the cases to the largest; default: by Sturges' rule.", "20")
              .only_for("histogram"),
          text("over", kNoMember, "a varied key",
               "The key that is refined; a ladder for every combination of the other varied keys.",
               "time.step")
              .only_for("convergence")
              .required_for("convergence"),
          any("reference", "a reference", "In place of the study's.", "finest").only_for("convergence"),
          text("rungs", kNoMember, "'last N'", "`last N`: the finest N rungs count.", "last 4")
              .only_for("convergence"),
          any("co_refine", "a mapping from keys of the scene to values",
              "Repeats the finest rung with these values: an error that changes by more than a tenth is not "
              "that of `over`.",
              "{solver.tolerance: 1.0e-8}")
              .only_for("convergence"),
          number("assume_order", kNoMember, "", kPositive,
                 "Order for Richardson's extrapolation of two rungs.", "1")
              .only_for("convergence"),
          text("x", kNoMember, "a varied key or a measure",
               "Along the horizontal axis; a measure gives a scatter plot.", "time.step")
              .only_for("plot")
              .required_for("plot"),
          text("y", kNoMember, "a measure", "Along the vertical axis.", "iters")
              .only_for("plot")
              .required_for("plot"),
          text("per", kNoMember, "a varied key", "A line for each of its values.", "contact.model")
              .only_for("plot"),
          choice("scale", kNoMember, "linear log-log log-x log-y", "Of the axes.", "log-log")
              .by_default("linear")
              .only_for("plot"),
          any("keys", "a mapping from keys of the scene to {bounds: [low, high], scale: linear or log}",
              "What is found: keys for which the measures of the training cases differ least from the "
              "study's "
              "reference.",
              "{materials.cube.friction: {bounds: [0.05, 1.0]}}")
              .only_for("fit")
              .required_for("fit"),
          any("weights", "a mapping from measures to numbers > 0",
              "Factors of the measures, which make one unit of them; default 1. The objective is the root of "
              "the mean over the cases of the sum of (weight measure)^2.",
              "{path: 1.0, turn: 0.05}")
              .only_for("fit"),
          any("train", "{every: N} or {where: {KEY: value}}",
              "The cases that the fit goes by; default: all that are no test.", "{where: {height: 0.2}}")
              .only_for("fit"),
          any("test", "{every: N} or {where: {KEY: value}}",
              "The cases that it is judged by and does not see: the N-th, 2N-th, .. or those of these "
              "values; "
              "default: none.",
              "{every: 5}")
              .only_for("fit"),
          integer(
              "starts", kNoMember, 1,
              "Places from which the search starts, drawn as by `sample` with method random, on the scale "
              "of each key.",
              "5")
              .by_default("3")
              .only_for("fit"),
          integer("seed", kNoMember, 0, "Of the starts.", "2").by_default("1").only_for("fit"),
          integer("evaluations", kNoMember, 1, "Candidates of each start, at the most.", "100")
              .by_default("200")
              .only_for("fit"),
          number("tolerance", kNoMember, "", {.min = 0.0, .above_min = true, .max = 0.1},
                 "To which the keys are found, as a share of their bounds (of their logarithms).", "1.0e-4")
              .by_default("1.0e-5")
              .only_for("fit"),
          choice(
              "method", kNoMember, "bobyqa nelder_mead subplex",
              "How the search goes on: by quadratic models, or by simplices, which need more candidates and "
              "mind kinks less.",
              "subplex")
              .by_default("bobyqa")
              .only_for("fit"),
      }};
  return section;
}

const Section& gate_section() {
  static const Keys section{
      "gate",
      "a gate",
      "An assertion about a measure: for the worst of the cases or ladders that `where` selects, or with "
      "`of` or `share` for all of them together.",
      "",
      {
          text("name", kNoMember, "a name", "What the gate is called in reports and JUnit.", "stays_below"),
          text("measure", kNoMember, "the name of a measure", "What is judged.", "x"),
          text("analysis", kNoMember, "the name of an analysis of type convergence or fit",
               "Whose ladders are judged, with `order`; or with whose keys the cases are judged: the test "
               "cases of the fit, without such the training cases.",
               "order"),
          text("fit", kNoMember, "the name of an analysis of type fit",
               "In place of a measure: the key that it finds is judged.", "contact"),
          text("key", kNoMember, "a key of the fit", "Which key of `fit`.", "materials.cube.friction"),
          any("where", "a mapping from varied keys to values", "Which cases or ladders; default: all.",
              "{contact.model: sap}"),
          numbers("order", kNoMember, {2}, "", kAny, "Least and largest fitted order.", "[0.9, 1.1]"),
          any("of", "mean, median, deviation or {quantile: PROBABILITY}",
              "What the bounds hold of the values of all cases, in place of each: their mean (reported with "
              "its 95 % "
              "interval by the bootstrap), median, standard deviation, or a quantile.",
              "{quantile: 0.95}"),
          number("share", kNoMember, "", {.min = 0.0, .above_min = true, .max = 1.0},
                 "Share of the cases that has to be within the bounds, at the least; default: all.", "0.95"),
          number("max", kNoMember, "", kAny, "Largest value.", "20"),
          number("min", kNoMember, "", kAny, "Smallest value.", "0"),
          number("value", kNoMember, "", kAny,
                 "The value, within atol + rtol |value|, of which one has to be given; 0: equal.", "0.15416"),
          number("rtol", kNoMember, "", kNonNegative, "Relative tolerance of `value`.", "1.0e-3")
              .by_default("0"),
          number("atol", kNoMember, "", kNonNegative, "Absolute tolerance of `value`, in the measure's unit.",
                 "1.0e-6")
              .by_default("0"),
      }};
  return section;
}

}  // namespace

const Section& expression_section() {
  static const Keys section{
      "expression",
      "an expression",
      "A number made of other measures of the same case. NaN where one of them is or where an operation "
      "gives "
      "no finite number.",
      "",
      {
          text(
              "expression", kNoMember, "an expression over measures",
              "Measures and numbers with + - * / and parentheses, sqrt, abs, log (natural), exp, min, max. A "
              "measure with '+' or '-' in its name stands in single quotes.",
              "peak / (weight * 9.81)")
              .required(),
          text("units", kNoMember, "a unit such as m/s, or 1", "Its unit; 1 for a pure number.", "m/s")
              .required(),
      }};
  return section;
}

const Section& fit_key_section() {
  static const Keys section{
      "fit_key",
      "a key of a fit",
      "Where a fit looks for the value of a key.",
      "",
      {
          numbers("bounds", kNoMember, {2}, "", kAny, "Least and largest value.", "[0.05, 1.0]").required(),
          choice(
              "scale", kNoMember, "linear log",
              "On which the search takes its steps: log for keys of which the order of magnitude is sought.",
              "log")
              .by_default("linear"),
      }};
  return section;
}

const Section& sample_section() {
  static const Keys section{
      "sample",
      "a sample",
      "Random values, drawn once for the study: the same on every machine.",
      "",
      {
          integer("count", kNoMember, 1, "Number of draws.", "100").required(),
          integer("seed", kNoMember, 0, "Another seed, other values.", "1").required(),
          choice("method", kNoMember, "random latin_hypercube", "How the values cover their range.",
                 "latin_hypercube")
              .by_default("random"),
          any("of", "a mapping from keys of the scene to distributions",
              "Keys with their distributions: {uniform: [low, high]}, {log_uniform: [low, high]}, "
              "{normal: [mean, deviation]}.",
              "{materials.steel.friction: {uniform: [0.3, 0.7]}}")
              .required(),
      }};
  return section;
}

const Section& reference_section() {
  static const Keys section{
      "reference",
      "a reference",
      "What errors are measured against.",
      "",
      {
          any("case", "a mapping from keys of the scene to values",
              "A case that is run too; varied keys that it leaves out keep the ladder's values.",
              "{time.step: 1.25e-5}"),
          text("file", kNoMember, "a result file", "A result.", "reference.h5"),
          text(
              "csv", kNoMember, "a file of comma-separated values",
              "Measured curves: the first line names the columns. `reference.csv` under `vary` names one for "
              "each case. Results are interpolated to the measured times.",
              "toss.csv"),
          text("h5", kNoMember, "an HDF5 file", "Measured curves in datasets [rows] and [rows, columns].",
               "toss.h5"),
          text("time", kNoMember, "a column or dataset", "Of csv or h5: the times, s, which rise.", "t")
              .by_default("time"),
          any("columns", "a mapping from measures to columns or a dataset",
              "Of csv or h5: what is measured, by measure, as many columns as a row of the measure has "
              "numbers "
              "(quaternions w, x, y, z).",
              "{path: [x, y, z], turn: [qw, qx, qy, qz]}"),
          any("where", "a mapping from columns to values",
              "Of csv: rows that count, those whose columns have these values.", "{toss: 3}"),
          text("group", kNoMember, "a group", "Of h5: the group of the datasets.", "/toss_3").by_default("/"),
          any("values", "a mapping from measures to numbers", "Values of measures.", "{x: 0.1542}"),
      }};
  return section;
}

const Section& study_section() {
  static const Keys section{
      "study",
      "the study",
      "A study of csim: a scene run many times with some keys changed, quantities measured in each result, "
      "and assertions about them (gates).",
      "",
      {
          integer("csim_study", kNoMember, 1, "Version of the study format: 1.", "1").required(),
          text("name", kNoMember, "a name",
               "Name of the study and of the folder of its results; the file's stem by default.",
               "belt_order"),
          text("scene", kNoMember, "a scene file", "The scene, relative to this file.", "../scene.yaml")
              .required(),
          any("set", "a mapping from keys of the scene to values", "Keys changed in every case, as by --set.",
              "{time.end: 1.0}"),
          any("vary", "a list of mappings of one key each",
              "The cases: the product of the entries, the first varies slowest. KEY: [values], KEY: {linear: "
              "[first, last, count]}, KEY: {geometric: [first, last, count]}, zip: {KEY: values, ..} in "
              "lockstep, table: FILE.csv (a row a case, the header names keys), sample: {count, seed, "
              "method, "
              "of}. KEY is one of the scene, or reference.{csv, h5, group, where.COLUMN, file}.",
              "[contact.model: [lagged, sap], time.step: {geometric: [8.0e-3, 1.0e-3, 4]}]")
              .required(),
          any("skip", "a list of mappings from varied keys to values", "Cases left out.",
              "[{contact.model: sap, time.step: 8.0e-3}]"),
          choice("keep", kNoMember, "result measures",
                 "What stays of a complete case: its result, or the numbers of its measures alone, which are "
                 "enough to collect, report and go on.",
                 "measures")
              .by_default("result"),
          section_row("measure", FieldType::kSectionMap, measure_section(),
                      "Measures by name: numbers of a result, or expressions over other measures.",
                      "{x: {dataset: trajectory/position, item: box, component: x, reduce: final}}")
              .or_keys_of(expression_section()),
          any("reference", "finest, richardson or a mapping with one of case, file, csv, h5, values",
              "What errors are measured against: {case: {KEY: value}}, {file: FILE.h5} (a result), {csv: "
              "FILE, "
              "columns: ..} or {h5: FILE, columns: ..} (measured curves), {values: {MEASURE: number}}, "
              "finest "
              "(the smallest of the ladder), richardson.",
              "finest"),
          section_row("analyses", FieldType::kSectionList, analysis_section(),
                      "What is made of the measures.", "[{type: table, measures: [x]}]"),
          section_row("gates", FieldType::kSectionList, gate_section(), "Assertions about the measures.",
                      "[{measure: x, max: 0.2}]"),
      }};
  return section;
}

std::string study_schema_json() {
  return schema_json(study_section(), "csim study, format version 1");
}

std::string study_reference_markdown() {
  return "# Keys of a study\n\n"
         "Study format version 1; [docs/studies.md](../docs/studies.md) explains it. This page and\n"
         "`study.schema.json` are printed by `csim schema study` from the table that the reader checks "
         "by.\n" +
         reference_markdown(study_section());
}

}  // namespace csim
