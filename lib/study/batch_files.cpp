#include "study/batch_files.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include "core/number_format.h"
#include "run/load_scene.h"
#include "scene/resolve.h"
#include "scene/yaml/yaml_writer.h"
#include "study/sample.h"
#include "study/shell_words.h"

namespace csim {
namespace {

namespace fs = std::filesystem;

std::string absolute(const std::string& path) {
  return fs::absolute(path).lexically_normal().string();
}

std::vector<std::string> study_command(const std::string& name, const Study& study, const StudyFolder& folder,
                                       const std::string& program) {
  return {program, "study", name, absolute(study.file), "-o", absolute(folder.path)};
}

std::vector<std::string> with_set(std::vector<std::string> command, const Study& study) {
  const std::vector<std::string> set = set_options(study);
  command.insert(command.end(), set.begin(), set.end());
  return command;
}

std::string slurm_header(const std::string& name, const SlurmOptions& options) {
  std::string text =
      "#!/bin/bash\n#SBATCH --job-name=" + name + "\n#SBATCH --ntasks=1\n#SBATCH --cpus-per-task=1\n";
  const std::pair<const char*, const std::string&> given[] = {{"time", options.walltime},
                                                              {"partition", options.partition},
                                                              {"account", options.account},
                                                              {"qos", options.qos},
                                                              {"mem", options.memory}};
  for (const auto& [key, value] : given)
    if (!value.empty()) text += std::string("#SBATCH --") + key + "=" + value + "\n";
  return text;
}

std::string slurm_log(const StudyFolder& folder, const std::string& name) {
  return "#SBATCH --open-mode=append\n#SBATCH --output=" + shell_word(absolute(folder.path) + "/" + name) +
         "\n";
}

}  // namespace

std::string slurm_script(const Study& study, const Cases& cases, const StudyFolder& folder,
                         const std::string& program, const SlurmOptions& options) {
  const int tasks = (static_cast<int>(cases.cases.size()) + options.chunk - 1) / options.chunk;
  const std::string limit = options.concurrent > 0 ? "%" + std::to_string(options.concurrent) : "";
  std::string script = slurm_header(study.name, options) + "#SBATCH --array=0-" + std::to_string(tasks - 1) +
                       limit + "\n#SBATCH --signal=USR1@120\n#SBATCH --requeue\n" +
                       slurm_log(folder, "slurm-%A_%a.log") + "\n";
  script += "# " + std::to_string(cases.cases.size()) + " cases, " + std::to_string(options.chunk) +
            " a task. A task that is told two minutes before its end writes checkpoints,\n"
            "# ends with 75 and is queued again; it goes on where it was.\n"
            "export OMP_NUM_THREADS=1\n\n";
  std::vector<std::string> command = study_command("run", study, folder, program);
  command.insert(command.begin(), "srun");
  command.insert(command.end(), {"--case", "auto"});
  if (options.chunk > 1) command.insert(command.end(), {"--chunk", std::to_string(options.chunk)});
  if (!options.timeout.empty()) command.insert(command.end(), {"--timeout", options.timeout});
  script += shell_command(with_set(command, study)) + "\ncode=$?\n";
  // One task of each array has the number of the whole array as its SLURM_JOB_ID, and would requeue all.
  script +=
      "[ $code -eq 75 ] && scontrol requeue \"${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID\"\nexit $code\n";
  return script;
}

std::string slurm_report_script(const Study& study, const StudyFolder& folder, const std::string& program,
                                const SlurmOptions& options) {
  std::vector<std::string> command = study_command("report", study, folder, program);
  command.insert(command.begin(), "srun");
  return slurm_header(study.name + "-report", options) + slurm_log(folder, "slurm-report-%j.log") +
         "\n# Collects and reports when all tasks of the array have ended:\n"
         "#   sbatch --dependency=afterany:$(sbatch --parsable ARRAY.sbatch) REPORT.sbatch\n" +
         shell_command(with_set(command, study)) + "\n";
}

std::optional<std::string> slurm_walltime(const std::vector<CaseStatus>& cases, int chunk) {
  double longest = -1.0;
  for (const CaseStatus& one : cases)
    if (one.state == CaseState::kComplete) longest = std::max(longest, one.seconds);
  if (longest < 0.0) return std::nullopt;
  constexpr double kMargin = 1.5, kStart = 600.0;  // of other cases and processors; s, of the job itself
  const auto minutes = static_cast<long>(std::ceil((kMargin * chunk * longest + kStart) / 60.0));
  return format_text("%02ld:%02ld:00", minutes / 60, minutes % 60);
}

std::string case_commands(const Study& study, const Cases& cases, const StudyFolder& folder,
                          const std::string& program) {
  const std::vector<std::string> command = with_set(study_command("run", study, folder, program), study);
  std::string text;
  for (const Case& one : cases.cases)
    text += shell_command(command) + " --case " + std::to_string(one.index) + "\n";
  return text;
}

std::optional<std::string> new_study(const std::string& scene, const std::vector<std::string>& keys,
                                     Diagnostics* diagnostics) {
  const auto loaded = load_scene(scene, {}, diagnostics);
  if (!loaded) return std::nullopt;
  const YamlNode root = resolved_tree(loaded->read.scene);
  std::string vary, analyses, measure;
  for (const std::string& key : keys) {
    std::string fault;
    const YamlNode* value = find_value(root, key, &fault);
    const std::optional<double> h = value != nullptr ? number_of(*value) : std::nullopt;
    if (!h || *h <= 0.0) {
      const std::string found = value == nullptr ? "not in the scene" : write_flow(*value);
      diagnostics->push_back(
          loaded->read.source.locate({key, found + ", expected a key of the scene with a number > 0"}));
      continue;
    }
    const auto text = [](double x) { return format_number(rounded_to_12_digits(x)); };
    vary += "  - " + write_flow(yaml_text(key)) + ": {geometric: [" + text(2.0 * *h) + ", " + text(*h / 8.0) +
            ", 5]}\n";
    analyses += "  - {type: convergence, name: order" +
                (keys.size() > 1 ? "_" + std::to_string(&key - keys.data() + 1) : "") +
                ", over: " + write_flow(yaml_text(key)) + ", measures: [energy], reference: finest}\n";
  }
  if (!diagnostics->empty()) return std::nullopt;
  return "csim_study: 1\nname: " + write_flow(yaml_text(loaded->read.scene.name + "_study")) +
         "\nscene: " + write_flow(yaml_text(scene)) + "\nvary:\n" + vary +
         "measure:\n  energy: {dataset: energy/total, reduce: final}\n"
         "  iterations: {dataset: stats/step/iterations, reduce: mean}\nanalyses:\n" +
         analyses +
         "  - {type: table, measures: [energy, iterations]}\n# gates:\n#   - {measure: energy, analysis: "
         "order" +
         (keys.size() > 1 ? "_1" : "") + ", order: [0.9, 1.1]}\n#   - {measure: iterations, max: 20}\n";
}

}  // namespace csim
