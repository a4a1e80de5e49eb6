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
  gid_t group = 0;
};

std::optional<Account> accountOf(uid_t user) {
  std::array<char, 16384> buffer{};
  passwd entry{};
  passwd* found = nullptr;
  if (::getpwuid_r(user, &entry, buffer.data(), buffer.size(), &found) != 0 || !found) return std::nullopt;
  return Account{entry.pw_name, entry.pw_dir, entry.pw_gid};
}

}  // namespace

std::string userName(uid_t user) {
  const auto account = accountOf(user);
  return account ? account->name : "the user " + std::to_string(user);
}

std::shared_ptr<const local::processes::Owner> ownerOf(uid_t user) {
  const auto account = accountOf(user);
  local::processes::Owner owner{.user = user, .name = userName(user), .home = "/"};
  owner.group = account ? account->group : static_cast<gid_t>(user);
  owner.groups = {owner.group};
  if (account) {
    owner.home = account->home;
    int count = 0;
    ::getgrouplist(account->name.c_str(), owner.group, nullptr, &count);
    owner.groups.resize(static_cast<std::size_t>(count));
    if (::getgrouplist(account->name.c_str(), owner.group, owner.groups.data(), &count) < 0)
      owner.groups = {owner.group};
  }
  return std::make_shared<const local::processes::Owner>(std::move(owner));
}

}  // namespace slaq::cli::store
