#include "core/log.h"

#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <memory>
#include <stdexcept>
#include <vector>

#include "core/missing_path.h"

namespace csim {
namespace {

spdlog::level::level_enum to_spdlog(LogLevel level) {
  constexpr spdlog::level::level_enum kLevels[] = {spdlog::level::err, spdlog::level::warn,
                                                   spdlog::level::info, spdlog::level::debug};
  return kLevels[static_cast<int>(level)];
}

std::shared_ptr<spdlog::sinks::sink> terminal_sink(LogLevel level) {
  auto sink = std::make_shared<spdlog::sinks::stderr_sink_mt>();
  sink->set_pattern("csim: %l: %v");
  sink->set_level(to_spdlog(level));
  return sink;
}

std::string failure;  // of the log file: spdlog's own handler would write it to stderr and go on

std::shared_ptr<spdlog::logger> make_logger(std::vector<spdlog::sink_ptr> sinks) {
  auto logger = std::make_shared<spdlog::logger>("csim", sinks.begin(), sinks.end());
  logger->set_level(spdlog::level::debug);
  logger->flush_on(spdlog::level::warn);
  logger->set_error_handler([](const std::string& message) { failure = message; });
  return logger;
}

std::shared_ptr<spdlog::logger>& logger() {
  static std::shared_ptr<spdlog::logger> instance = make_logger({terminal_sink(LogLevel::kInfo)});
  return instance;
}

}  // namespace

void configure_log(LogLevel level, const std::string& file, bool anew) {
  std::vector<spdlog::sink_ptr> sinks{terminal_sink(level)};
  if (!file.empty()) {
    // spdlog would create the folder, and a mistyped path would go unnoticed.
    if (const std::string missing = missing_folder(file); !missing.empty())
      throw std::runtime_error("cannot open the log file '" + file + "': " + missing);
    try {
      auto sink = std::make_shared<spdlog::sinks::basic_file_sink_mt>(file, anew);
      sink->set_pattern("%Y-%m-%dT%H:%M:%S.%e %l: %v");
      sinks.push_back(sink);
    } catch (const spdlog::spdlog_ex& error) {
      throw std::runtime_error("cannot open the log file '" + file + "': " + error.what());
    }
  }
  logger() = make_logger(sinks);
}

std::string log_failure() {
  logger()->flush();
  return failure.empty() ? "" : "the log file cannot be written: " + failure;
}

void log_error(std::string_view text) {
  logger()->error("{}", text);
}
void log_warning(std::string_view text) {
  logger()->warn("{}", text);
}
void log_info(std::string_view text) {
  logger()->info("{}", text);
}

}  // namespace csim
