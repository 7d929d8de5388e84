#include "study/batch_files.h"

#include <filesystem>

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

}  // namespace

std::string slurm_script(const Study& study, const Cases& cases, const StudyFolder& folder,
                         const std::string& program, const SlurmOptions& options) {
  const int tasks = (static_cast<int>(cases.cases.size()) + options.chunk - 1) / options.chunk;
  const std::string limit = options.concurrent > 0 ? "%" + std::to_string(options.concurrent) : "";
  const std::string place = absolute(folder.path);
  std::string script = "#!/bin/bash\n#SBATCH --job-name=" + study.name + "\n#SBATCH --array=0-" +
                       std::to_string(tasks - 1) + limit +
                       "\n#SBATCH --ntasks=1\n#SBATCH --cpus-per-task=1\n";
  if (!options.walltime.empty()) script += "#SBATCH --time=" + options.walltime + "\n";
  if (!options.partition.empty()) script += "#SBATCH --partition=" + options.partition + "\n";
  if (!options.memory.empty()) script += "#SBATCH --mem=" + options.memory + "\n";
  script += "#SBATCH --signal=USR1@120\n#SBATCH --requeue\n#SBATCH --open-mode=append\n#SBATCH --output=" +
            shell_word(place + "/slurm-%A_%a.log") + "\n\n";
  script += "# " + std::to_string(cases.cases.size()) + " cases, " + std::to_string(options.chunk) +
            " a task. A task that is told two minutes before its end writes checkpoints,\n"
            "# ends with 75 and is queued again; it goes on where it was.\n"
            "export OMP_NUM_THREADS=1\n\n";
  std::vector<std::string> command{"srun", program, "study",  "run", absolute(study.file),
                                   "-o",   place,   "--case", "auto"};
  if (options.chunk > 1) command.insert(command.end(), {"--chunk", std::to_string(options.chunk)});
  const std::vector<std::string> set = set_options(study);
  command.insert(command.end(), set.begin(), set.end());
  script += shell_command(command) + "\ncode=$?\n";
  // One task of each array has the number of the whole array as its SLURM_JOB_ID, and would requeue all.
  script +=
      "[ $code -eq 75 ] && scontrol requeue \"${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID\"\nexit $code\n";
  return script;
}

std::string case_commands(const Study& study, const Cases& cases, const StudyFolder& folder,
                          const std::string& program) {
  std::vector<std::string> command{
      program, "study", "run", absolute(study.file), "-o", absolute(folder.path)};
  const std::vector<std::string> set = set_options(study);
  command.insert(command.end(), set.begin(), set.end());
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
