// The folder of a study's results: cases/ID.h5, study.yaml with its scene, what is collected and reported.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "study/cases.h"

namespace csim {

struct StudyFolder {
  std::string path;

  [[nodiscard]] std::string file(const std::string& name) const { return path + "/" + name; }
  [[nodiscard]] std::string result(const Case& one) const { return path + "/cases/" + one.id + ".h5"; }
  /// Its numbers, where the result is not kept (case_record.h).
  [[nodiscard]] std::string record(const Case& one) const { return path + "/cases/" + one.id + ".json"; }
  /// The commands of the case's processes and what they printed.
  [[nodiscard]] std::string log(const Case& one) const { return path + "/cases/" + one.id + ".log"; }
  /// What the case has used so far (case_usage.h).
  [[nodiscard]] std::string usage(const Case& one) const { return path + "/cases/" + one.id + ".usage"; }
};

/// Makes the folder, and puts a copy of the study into it with its scene, the files of that and the results
/// it refers to, so that the folder alone is enough on another machine. Throws OutputExistsError, unless
/// `force`, when a study of another name has it, or no study and a file would be replaced; IoError when it
/// cannot be written.
void prepare_folder(const Study& study, const Cases& cases, const StudyFolder& folder, bool force);

/// Throws OutputExistsError when a study of another name has the folder.
void check_folder_name(const Study& study, const StudyFolder& folder);

/// What `set` of the folder's copy of the study says, where it is not what this study says.
[[nodiscard]] std::optional<Assignment> other_set(const Study& study, const StudyFolder& folder);

/// How many results of cases the folder holds that the study has no more, nor its fits as `candidates`.
[[nodiscard]] int count_other_results(const Cases& cases, const std::set<std::string>& candidates,
                                      const StudyFolder& folder);

}  // namespace csim
