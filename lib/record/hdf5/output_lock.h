// Who is writing a result: a lock that ends with its process, so that a file left by a killed run is free.
#pragma once

#include <string>

namespace csim {

/// Marks an open result as being written. It is an open-file-description lock of fcntl(2), advisory, and
/// shared once it is held, so that readers that lock what they read (HDF5 does) are not kept out. It follows
/// the file through renames. File systems without locks, and files that this process may not write, go
/// without.
class OutputLock {
 public:
  OutputLock() = default;

  /// Locks the file `path`; nothing when there is none. Throws OutputBusyError when another process (or
  /// another lock of this one) holds it.
  explicit OutputLock(const std::string& path);

  /// Locks the file as above, and waits for up to `patience` (s) for it to be free: a killed process keeps
  /// its locks until the system has taken its memory back.
  [[nodiscard]] static OutputLock when_free(const std::string& path, double patience = 2.0);

  OutputLock(OutputLock&& other) noexcept;
  OutputLock& operator=(OutputLock&& other) noexcept;
  ~OutputLock();

  /// False where the file goes without a lock: others may be writing it.
  [[nodiscard]] bool held() const { return held_; }

  /// Whether there was a file of the name.
  [[nodiscard]] bool has_file() const { return descriptor_ >= 0; }

 private:
  int descriptor_ = -1;
  bool held_ = false;
};

/// Whether another process, or another lock of this one, holds an OutputLock on the file; takes none itself.
[[nodiscard]] bool is_being_written(const std::string& path);

}  // namespace csim
