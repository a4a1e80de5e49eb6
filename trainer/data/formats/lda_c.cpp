#include "trainer/data/formats/lda_c.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <ostream>
#include <set>

#include "base/text.h"
#include "trainer/data/formats/lines.h"
#include "trainer/io/files.h"

namespace slaq::trainer::data::formats {
namespace {

class LdaC {
 public:
  LdaC(const std::string& path, std::string_view text, std::int64_t width)
      : lines_(path, text), most_(width) {
    table_.words = width;
  }

  Result<Table> read() {
    while (const auto line = lines_.next()) {
      if (const auto added = add(split(*line, ' ')); !added) return failure(added.error());
    }
    if (table_.documents.count() == 0) return lines_.refuseAll("has no documents");
    if (table_.words == 0) return lines_.refuseAll("has no document with a word");
    return std::move(table_);
  }

 private:
  Result<void> add(const std::vector<std::string_view>& parts) {
    const auto distinct = numberFrom<std::int64_t>(parts.front());
    if (!distinct || *distinct != static_cast<std::int64_t>(parts.size()) - 1) {
      return lines_.refuse(quoted(parts.front()) + " is not the number of the words that follow, " +
                           std::to_string(parts.size() - 1));
    }
    std::set<std::int64_t> seen;
    for (std::size_t i = 1; i < parts.size(); ++i) {
      const auto pair = parsePair(parts[i]);
      if (!pair) return lines_.refuse(pair.error().message);
      if (const auto fits = check(*pair, seen); !fits) return fits;
      table_.documents.words.push_back(static_cast<std::int32_t>(pair->index));
      table_.documents.counts.push_back(pair->value);
      table_.words = std::max(table_.words, pair->index + 1);
    }
    table_.documents.begins.push_back(static_cast<std::int64_t>(table_.documents.words.size()));
    return {};
  }

  Result<void> check(const Pair& pair, std::set<std::int64_t>& seen) const {
    const std::string word = "word " + std::to_string(pair.index);
    const std::int64_t most = most_ > 0 ? most_ : std::numeric_limits<std::int32_t>::max();
    if (pair.index < 0) return lines_.refuse(word + ": words count from 0");
    if (pair.index >= most) {
      return lines_.refuse(word + " is beyond the vocabulary of --features " + std::to_string(most));
    }
    if (!seen.insert(pair.index).second) return lines_.refuse(word + " comes twice; add up its counts");
    if (pair.value < 1 || pair.value != std::floor(pair.value)) {
      return lines_.refuse(word + " must be counted by a whole number from 1");
    }
    return {};
  }

  Lines lines_;
  std::int64_t most_;
  Table table_;
};

}  // namespace

Result<Table> readLdaC(const Files& files, const problem::Settings&, std::int64_t width) {
  const auto text = io::readWhole(files.rows);
  if (!text) return failure(text.error());
  return LdaC(files.rows, *text, width).read();
}

Result<void> writeLdaC(Outputs& out, const Chunk& chunk) {
  const Documents& documents = chunk.documents;
  for (std::size_t d = 0; d + 1 < documents.begins.size(); ++d) {
    out.rows << documents.begins[d + 1] - documents.begins[d];
    for (auto i = documents.begins[d]; i < documents.begins[d + 1]; ++i) {
      const auto at = static_cast<std::size_t>(i);
      out.rows << ' ' << documents.words[at] << ':' << digitsOf(documents.counts[at]);
    }
    out.rows << '\n';
  }
  return {};
}

}  // namespace slaq::trainer::data::formats
