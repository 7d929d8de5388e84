// What the commands say of files that cannot be read or written.
#pragma once

#include <string>

namespace csim::cli {

/// Inside a catch block: says on stderr (and in the log file, if any) what the exception in flight tells of a
/// file, and returns the exit code of record/errors.h. A name that is taken is followed by `way_out`, the
/// ways that the command offers. An exception that does not speak of files goes on.
int report_file_error(const std::string& way_out = "");

}  // namespace csim::cli
