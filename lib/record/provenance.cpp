#include "record/provenance.h"

#include <unistd.h>

#include <array>
#include <ctime>
#include <fstream>

#include "core/sha256.h"
#include "core/version.h"

namespace csim {
namespace {

std::string host_name() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

/// The first "model name" of /proc/cpuinfo; "" where there is none.
std::string cpu_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "";
}

}  // namespace

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text.data();
}

Provenance collect_provenance(const std::vector<std::string>& argv,
                              const std::vector<std::string>& input_files, int threads,
                              const std::string& blas) {
  Provenance provenance;
  provenance.version = version().version;
  provenance.revision = revision_text(version());
  provenance.compiler = version().compiler;
  provenance.libraries = version().libraries;
  provenance.blas = blas;
  provenance.host = host_name();
  provenance.cpu = cpu_name();
  provenance.threads = threads;
  provenance.argv = argv;
  for (const std::string& path : input_files) {
    provenance.inputs.push_back({path, sha256_of_file(path).value_or("")});
  }
  provenance.start = utc_now();
  return provenance;
}

}  // namespace csim
