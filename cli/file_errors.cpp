#include "cli/file_errors.h"

#include <filesystem>

#include "cli/commands.h"
#include "core/log.h"
#include "record/errors.h"

namespace csim::cli {
namespace {

int report(const std::string& text, int code) {
  log_error(text);
  return code;
}

}  // namespace

int report_file_error(const std::string& way_out) {
  try {
    throw;
  } catch (const OutputBusyError& error) {
    return report(error.what(), kInvalidInput);
  } catch (const OutputExistsError& error) {
    return report(error.what() + way_out, kInvalidInput);
  } catch (const OutputIsInputError& error) {
    return report(error.what(), kInvalidInput);
  } catch (const InvalidResultError& error) {
    return report(error.what(), kInvalidInput);
  } catch (const ReadError& error) {
    return report(error.what(), kInvalidInput);
  } catch (const IoError& error) {
    return report(error.what(), kOutputFailed);
  } catch (const std::filesystem::filesystem_error& error) {
    return report(error.what(), kOutputFailed);
  }
}

}  // namespace csim::cli
