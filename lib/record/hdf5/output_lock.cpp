#include "record/hdf5/output_lock.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <thread>
#include <utility>

#include "record/errors.h"

namespace csim {
namespace {

/// Sets the lock `type` on the whole file; errno says why not.
bool set_lock(int descriptor, short type) {
  struct flock lock {};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  return ::fcntl(descriptor, F_OFD_SETLK, &lock) == 0;
}

/// Whether `path` still names the open file: a run that ended in between may have put another in its place.
bool is_named(int descriptor, const std::string& path) {
  struct stat open_file {
  }, named{};
  return ::fstat(descriptor, &open_file) == 0 && ::stat(path.c_str(), &named) == 0 &&
         open_file.st_dev == named.st_dev && open_file.st_ino == named.st_ino;
}

}  // namespace

OutputLock::OutputLock(const std::string& path) : descriptor_(::open(path.c_str(), O_RDWR | O_CLOEXEC)) {
  if (descriptor_ < 0) return;
  // The exclusive lock is had by nobody else; as a shared one it lets readers in and still keeps writers out.
  held_ = set_lock(descriptor_, F_WRLCK);
  const bool refused = !held_ && (errno == EAGAIN || errno == EACCES);
  if (held_) set_lock(descriptor_, F_RDLCK);
  if (!refused && is_named(descriptor_, path)) return;
  ::close(std::exchange(descriptor_, -1));
  throw OutputBusyError(path + ": another run is writing it");
}

OutputLock OutputLock::when_free(const std::string& path, double patience) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point end =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(patience));
  for (;;) {
    try {
      return OutputLock(path);
    } catch (const OutputBusyError&) {
      if (Clock::now() >= end) throw;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

OutputLock::OutputLock(OutputLock&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), held_(std::exchange(other.held_, false)) {}

OutputLock& OutputLock::operator=(OutputLock&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(held_, other.held_);
  return *this;
}

bool is_being_written(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return false;
  struct flock lock {};
  lock.l_type = F_WRLCK;
  const bool answered = ::fcntl(descriptor, F_OFD_GETLK, &lock) == 0;
  ::close(descriptor);
  return answered && lock.l_type != F_UNLCK;
}

OutputLock::~OutputLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace csim
