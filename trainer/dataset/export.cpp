#include "trainer/dataset/export.h"

#include <cerrno>
#include <cstring>
#include <fstream>

#include "trainer/dataset/training_data.h"

namespace slaq::trainer::dataset {
namespace {

Result<std::ofstream> create(const std::string& path) {
  std::ofstream file(path, std::ios::binary);
  if (file) return file;
  return failure(ErrorKind::Invalid, "cannot write " + path + ": " + std::strerror(errno));
}

Result<void> writeAll(const TrainingData& data, const data::formats::Format& format,
                      data::formats::Outputs& outputs) {
  format.begin(outputs, data.problem.rows, data.problem.features);
  for (std::int64_t c = 0; c < data.problem.chunks; ++c) {
    if (auto written = format.write(outputs, data.source->chunk(c)); !written) return written;
  }
  return {};
}

}  // namespace

Result<void> exportData(const ExportOptions& options) {
  const data::formats::Format& format = *data::formats::findFormat(options.format);
  const auto data = openData(options.problem, options.files);
  if (!data) return failure(data.error());
  auto rows = create(options.outputs.rows);
  if (!rows) return failure(rows.error());
  auto labels = format.labelsApart ? create(options.outputs.labels) : Result<std::ofstream>(std::ofstream());
  if (!labels) return failure(labels.error());
  data::formats::Outputs outputs{*rows, &*labels};
  if (auto written = writeAll(*data, format, outputs); !written) return written;
  const bool whole = rows->flush().good() && (!format.labelsApart || labels->flush().good());
  if (whole) return {};
  return failure(ErrorKind::Invalid, "cannot write " + options.outputs.rows + ": " + std::strerror(errno));
}

}  // namespace slaq::trainer::dataset
