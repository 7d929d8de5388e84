// What a fit found, as tables for people, JSON and HDF5.
#pragma once

#include <string>
#include <vector>

#include "core/json_writer.h"
#include "record/hdf5/hdf5_file.h"
#include "study/report.h"

namespace csim {

struct ReportTable {
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;
};

/// The parts of a report, in their order; tables without rows are left out.
struct FitText {
  std::vector<std::string> sentences;
  ReportTable keys, starts, cases;
};
[[nodiscard]] FitText describe_fit(const Study& study, const Cases& cases, const FitResult& fit);

/// "fit contact: 141 candidates, objective 0.0123 (training), 0.0131 (test)", or how far it is.
[[nodiscard]] std::string fit_line(const Study& study, const FitResult& fit);

/// The member "fit" of an analysis.
void write_fit_json(const Study& study, const FitResult& fit, JsonWriter* json);

/// /fit/NAME: /keys/{name,value,low,high}, /starts/{objective,evaluations,converged,agrees,begin,end},
/// /cases/{index,id,test} and /cases/error/MEASURE; nothing of a fit that is not done.
void write_fit_tables(const Study& study, const Cases& cases, const FitResult& fit, hdf5::File* file);

}  // namespace csim
