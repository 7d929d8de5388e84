// What can go wrong with files, as types that the command line maps to exit codes.
#pragma once

#include <stdexcept>

namespace csim {

/// A file cannot be written or read for a reason outside the program: disk full, no permission, damaged file
/// (exit code 4 when writing). The message names the file and the system's reason.
class IoError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A file that was opened to read cannot be read: it is damaged, or being written just now (read_result).
class ReadError : public IoError {
 public:
  using IoError::IoError;
};

/// The output exists already, or another run's unfinished file does; nothing was written (exit code 2).
class OutputExistsError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The output would replace what is read; nothing was written, with or without --force (exit code 2).
class OutputIsInputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Another run is writing the output at this moment; nothing was written (exit code 2).
class OutputBusyError : public OutputExistsError {
 public:
  using OutputExistsError::OutputExistsError;
};

/// A file given to read is missing, empty, no result of csim, or does not fit what is asked of it, such as a
/// resume with another scene (exit code 2).
class InvalidResultError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace csim
