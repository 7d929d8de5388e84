#include "view/film.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <utility>
#include <vector>

#include "core/number_format.h"
#include "core/require.h"
#include "record/errors.h"
#include "record/output_file.h"

namespace csim {
namespace {

/// From raw pictures on its standard input. The coding of colours needs even sizes: of an odd one the last
/// row or column is left out.
std::vector<std::string> arguments(int width, int height, double rate, const std::string& file) {
  const std::string size = std::to_string(width) + "x" + std::to_string(height);
  return {"ffmpeg",
          "-hide_banner",
          "-loglevel",
          "error",
          "-nostdin",
          "-f",
          "rawvideo",
          "-pix_fmt",
          "bgr0",
          "-video_size",
          size,
          "-framerate",
          format_number(rate),
          "-i",
          "-",
          "-an",
          "-c:v",
          "libx264",
          "-preset",
          "medium",
          "-crf",
          "18",
          "-pix_fmt",
          "yuv420p",
          "-vf",
          "crop=trunc(iw/2)*2:trunc(ih/2)*2",
          "-movflags",
          "+faststart",
          "-f",
          "mp4",
          "-y",
          file};
}

/// Starts a program that reads what is written to *pipe.
pid_t start(const std::string& program, std::vector<std::string> words, int* pipe) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw IoError(program + ": " + std::strerror(errno));
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  // In a group of its own: an interrupt from the terminal is for csim, which then ends it.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_t process = -1;
  const int fault = posix_spawn(&process, program.c_str(), &actions, &attributes, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  ::close(ends[0]);
  *pipe = ends[1];
  if (fault == 0) return process;
  ::close(ends[1]);
  throw IoError(program + ": cannot be started: " + std::strerror(fault));
}

}  // namespace

std::string find_program(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::string file = (folder.empty() ? "." : folder) + "/" + name;
    if (::access(file.c_str(), X_OK) == 0) return file;
  }
  return "";
}

Film::Film(std::string path, int width, int height, double pictures_a_second, bool force)
    : path_(std::move(path)), part_(path_ + ".part") {
  check_output(path_, force);
  const std::string ffmpeg = find_program("ffmpeg");
  if (ffmpeg.empty()) {
    throw IoError(path_ +
                  ": cannot be written: a film needs the program ffmpeg, which is not on PATH; install it (" +
                  "apt-get install ffmpeg), or write the pictures with --frames DIR");
  }
  process_ = start(ffmpeg, arguments(width, height, pictures_a_second, part_), &pipe_);
}

Film::~Film() {
  if (process_ < 0) return;
  ::kill(process_, SIGKILL);
  finish();
  std::remove(part_.c_str());
}

void Film::add(const Picture& picture) {
  CSIM_REQUIRE(process_ >= 0);
  const char* bytes = reinterpret_cast<const char*>(picture.pixels.data());
  std::size_t left = picture.pixels.size() * sizeof(picture.pixels[0]);
  while (left > 0) {
    const ssize_t written = ::write(pipe_, bytes, left);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(finish());  // it has ended
    bytes += written;
    left -= static_cast<std::size_t>(written);
  }
}

int Film::finish() {
  ::close(std::exchange(pipe_, -1));
  int status = 0;
  while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void Film::fail(int code) {
  const std::string reason = code > 0    ? "ffmpeg ended with exit code " + std::to_string(code)
                             : code == 0 ? "ffmpeg ended before all pictures were there"
                                         : "ffmpeg was ended by a signal";
  std::remove(part_.c_str());
  throw IoError(path_ + ": cannot be written: " + reason);
}

void Film::close() {
  if (const int code = finish(); code != 0) fail(code);
  if (std::rename(part_.c_str(), path_.c_str()) == 0) return;
  const std::string reason = std::strerror(errno);
  std::remove(part_.c_str());
  throw IoError(path_ + ": cannot be written: " + reason);
}

}  // namespace csim
