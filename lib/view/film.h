// A film of pictures, encoded by the program ffmpeg.
#pragma once

#include <sys/types.h>
#include <string>

#include "view/canvas.h"

namespace csim {

/// Writes an MP4 file (H.264) beside its place and renames it when it is complete; without close() nothing is
/// left. All of it throws IoError: without ffmpeg on PATH, and when it fails. Writing to a program that has
/// ended is an error of the write: the caller ignores SIGPIPE.
class Film {
 public:
  /// Throws what check_output() throws, before anything is started.
  Film(std::string path, int width, int height, double pictures_a_second, bool force);
  Film(const Film&) = delete;
  Film& operator=(const Film&) = delete;
  ~Film();

  /// Of the width and height of the film.
  void add(const Picture& picture);
  void close();

 private:
  /// Ends the program's input and waits for it; its exit code, or -1.
  int finish();
  [[noreturn]] void fail(int code);

  std::string path_, part_;
  pid_t process_ = -1;
  int pipe_ = -1;
};

/// The program of a name on PATH; "" where there is none.
[[nodiscard]] std::string find_program(const std::string& name);

}  // namespace csim
