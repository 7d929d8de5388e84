#include "core/version.h"

#include <cstdio>
#include <memory>
#include <string>

#include "cli/commands.h"
#include "core/json_writer.h"
#include "solver/linear/blas_info.h"
#include "solver/linear/linear_solver.h"

namespace csim::cli {
namespace {

std::string licence_line() {
  if (has_supernodal()) {
    return "sources BSD-3-Clause; this program loads CHOLMOD's supernodal module when asked for it and is, "
           "with it, under GPL-2.0-or-later terms";
  }
  return "BSD-3-Clause";
}

/// The BLAS of the supernodal solver, or why it is not available.
std::string blas_line() {
  const std::string reason = has_supernodal() ? load_supernodal() : "";
  return reason.empty() ? describe_blas() : "none: " + reason;
}

struct VersionOptions {
  bool print = false, json = false;
};

int version(bool json) {
  const Version& v = csim::version();
  if (json) {
    JsonWriter writer;
    writer.begin_object().member("version", v.version, "revision", revision_text(v), "compiler", v.compiler);
    writer.member("libraries", v.libraries, "blas", blas_line(), "licence", licence_line()).end_object();
    std::printf("%s\n", writer.text().c_str());
    return kDone;
  }
  std::printf("csim %s (revision %s)\n", v.version.c_str(), revision_text(v).c_str());
  std::printf("compiler   %s\n", v.compiler.c_str());
  for (const std::string& library : v.libraries) std::printf("library    %s\n", library.c_str());
  std::printf("BLAS       %s\n", blas_line().c_str());
  std::printf("licence    %s\n", licence_line().c_str());
  return kDone;
}

}  // namespace

Command version_command() {
  const auto o = std::make_shared<VersionOptions>();
  return {.options = {{"--version", &o->print, "version, revision, libraries, licence"},
                      needing("--version", {"--json", &o->json, "with --version: one JSON object"})},
          .run = [o] { return version(o->json); }};
}

}  // namespace csim::cli
