// Makes the cases of a study from the values of their keys.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "study/case_template.h"
#include "study/cases.h"
#include "study/result_layout.h"

namespace csim {

/// Cases of one id are one, unless their keys name other references: repeated measurements of one experiment
/// are cases of one scene. Problems of their scenes, and of measures that these cannot have, go to
/// *diagnostics, each once.
class CaseMaker {
 public:
  CaseMaker(const Study& study, Diagnostics* diagnostics) : study_(study), diagnostics_(diagnostics) {}

  /// The indices of the cases with these values, -1 after a report. Where many differ in numbers that stand
  /// alone, one scene is read and built for all, and a few more to see that it may stand for them.
  std::vector<int> make(std::vector<Assignment> all, CaseRole role);

  [[nodiscard]] const std::vector<Case>& cases() const { return cases_; }
  [[nodiscard]] std::vector<Case> take() { return std::move(cases_); }
  [[nodiscard]] const std::vector<std::string>& units() const { return units_; }
  /// What the rows of each measure are.
  [[nodiscard]] const std::vector<RowShape>& shapes() const { return shapes_; }
  /// The files that the scenes read.
  [[nodiscard]] std::vector<std::string> files() const;

  /// How many scenes were read and built.
  [[nodiscard]] int num_read() const { return num_read_; }

  /// Reports a problem of the study once.
  void report(const Problem& problem) { add(study_.source.locate(problem)); }

 private:
  using Faults = std::vector<std::pair<int, MeasureFault>>;  // by measure
  /// What is known of a case before it has its place.
  struct Draft {
    std::uint64_t id = 0;
    TimeGrid times;
    const Faults* faults = nullptr;  // of its measures; nullptr: its scene is not read yet
  };
  /// What tells cases apart.
  struct Place {
    std::uint64_t id = 0;
    int reference = 0;  // number of what the case's keys say of it
    bool operator==(const Place&) const = default;
  };
  struct PlaceHash {
    std::size_t operator()(const Place& place) const {
      return place.id + 0x9e3779b97f4a7c15u * static_cast<std::size_t>(place.reference);  // spreads numbers
    }
  };

  void draft(const std::vector<Assignment>& all, std::vector<Draft>* drafts);
  void draft_group(const std::vector<Assignment>& all, const std::vector<std::size_t>& group,
                   const LoneKeys& lone_keys, std::vector<Draft>* drafts, std::string* culprit);
  bool is_right(const CaseTemplate& form, const std::vector<Assignment>& all,
                const std::vector<std::size_t>& group, const std::vector<const Field*>& lone,
                std::size_t* culprit);
  std::optional<Draft> read(const Assignment& values);
  std::optional<LoadedScene> load(const Assignment& values, Diagnostics* problems);
  Faults faults_of(const LoadedScene& loaded);
  const Faults* keep(Faults faults);
  int place(const Draft& draft, Assignment values, CaseRole role);
  void check_measures(const Assignment& values);
  void report(const Faults& faults, const std::string& note);
  int number_of_reference(const Assignment& values);
  std::string identity_of(const LoadedScene& loaded);
  std::string digest_of(const std::string& file);
  void report(const Diagnostics& found, const Assignment& values);
  void add(const Diagnostic& one);

  const Study& study_;
  Diagnostics* diagnostics_;
  std::vector<Case> cases_;
  int num_read_ = 0;
  std::vector<std::string> units_;  // of each measure
  std::vector<RowShape> shapes_;    // likewise
  std::unordered_map<Place, int, PlaceHash> index_;
  std::unordered_map<std::string, int> said_;   // numbers of what keys say of references
  std::map<std::string, std::string> digests_;  // of files
  std::deque<Faults> kept_faults_;              // those of drafts
  std::set<std::string> reported_;              // faults of measures
  std::set<std::string> faulty_keys_;           // whose values brought problems of scenes
  std::set<std::tuple<std::string, int, int, std::string>> told_;
};

}  // namespace csim
