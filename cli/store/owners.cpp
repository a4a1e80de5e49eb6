#include "cli/store/owners.h"

#include <grp.h>
#include <pwd.h>

#include <array>
#include <optional>

namespace slaq::cli::store {
namespace {

struct Account {
  std::string name;
  std::string home;
};

std::optional<Account> accountOf(uid_t user) {
  std::array<char, 16384> buffer{};
  passwd entry{};
  passwd* found = nullptr;
  if (::getpwuid_r(user, &entry, buffer.data(), buffer.size(), &found) != 0 || !found) return std::nullopt;
  return Account{entry.pw_name, entry.pw_dir};
}

}  // namespace

std::string userName(uid_t user) {
  const auto account = accountOf(user);
  return account ? account->name : "the user " + std::to_string(user);
}

std::shared_ptr<const local::processes::Owner> ownerOf(uid_t user, gid_t group) {
  local::processes::Owner owner{.user = user, .group = group, .name = userName(user), .home = "/"};
  owner.groups = {group};
  if (const auto account = accountOf(user)) {
    owner.home = account->home;
    int count = 0;
    ::getgrouplist(account->name.c_str(), group, nullptr, &count);
    owner.groups.resize(static_cast<std::size_t>(count));
    if (::getgrouplist(account->name.c_str(), group, owner.groups.data(), &count) < 0) owner.groups = {group};
  }
  return std::make_shared<const local::processes::Owner>(std::move(owner));
}

}  // namespace slaq::cli::store
