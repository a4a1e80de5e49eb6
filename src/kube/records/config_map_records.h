// Keeps the records of kinds of trainings in a ConfigMap. Each kind has an entry of its own, so that a write
// sends only what changed.
#pragma once

#include <string>

#include "kube/client/api.h"
#include "ports/record_store.h"

namespace slaq::kube::records {

class ConfigMapRecords : public RecordStore {
 public:
  // REQUIRES: `api` outlives this.
  ConfigMapRecords(client::Api& api, std::string ns, std::string name);

  Result<std::vector<KindRecord>> read() override;
  // Creates the ConfigMap if there is none.
  Result<void> write(std::span<const KindRecord> kinds) override;

 private:
  Result<void> create(const std::string& body);

  client::Api& api_;
  client::Target target_;
};

}  // namespace slaq::kube::records
