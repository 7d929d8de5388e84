#include "record/report/trial_reading.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <exception>
#include <vector>

#include "record/hdf5/hdf5_file.h"

namespace csim {
namespace {

// Of processor time. Whole files take milliseconds, as few of their rows are read.
constexpr rlim_t kSeconds = 20;

void read_attributes(const hdf5::File& file, const std::string& object) {
  for (const std::string& name : file.attribute_names(object)) {
    try {
      static_cast<void>(file.text_attribute(object, name));
    } catch (const ReadError&) {
      static_cast<void>(file.integer_attribute(object, name));
    }
  }
}

void read_ends(const hdf5::File& file, const hdf5::ObjectInfo& dataset) {
  if (dataset.type == hdf5::Type::kText) {
    static_cast<void>(file.read_texts(dataset.path));
    return;
  }
  const long rows = dataset.shape.empty() ? 1 : dataset.shape[0];
  for (const long row : {0L, rows - 1}) {
    if (rows > 0) static_cast<void>(file.read_real(dataset.path, row, 1));
  }
}

/// What stops one object does not stop the look at the others: the reader may want those.
template <typename Look>
void look(Look&& what) {
  try {
    what();
  } catch (const std::exception&) {
  }
}

void read_all(const std::string& path) {
  const hdf5::File file = hdf5::File::open_read(path);
  look([&] { read_attributes(file, "/"); });
  for (const hdf5::ObjectInfo& object : file.objects()) {
    look([&] { read_attributes(file, object.path); });
    if (!object.is_group) look([&] { read_ends(file, object); });
  }
}

/// Default actions for the signals of crashes, no core file, no messages of the C library, a CPU time limit.
void expect_the_worst() {
  for (const int crash : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL}) ::signal(crash, SIG_DFL);
  const rlimit no_core{0, 0}, seconds{kSeconds, kSeconds};
  ::setrlimit(RLIMIT_CORE, &no_core);
  ::setrlimit(RLIMIT_CPU, &seconds);
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  ::dup2(nowhere, STDERR_FILENO);
}

}  // namespace

std::string try_reading(const std::string& path) {
  const pid_t child = ::fork();
  if (child < 0) return "";  // no process to be had: the reading itself will show
  if (child == 0) {
    expect_the_worst();
    look([&] { read_all(path); });
    ::_exit(0);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFSIGNALED(status)) return "";
  const int signal = WTERMSIG(status);
  if (signal == SIGKILL || signal == SIGXCPU) return "HDF5 did not come to an end";
  return std::string("HDF5 crashed (") + ::strsignal(signal) + ")";
}

}  // namespace csim
