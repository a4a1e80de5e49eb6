// The users of this machine, to whom jobs belong.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>

#include "local/processes/process.h"

namespace slaq::cli::store {

// "alice", or "the user 4711" if no account has that id.
std::string userName(uid_t user);

// With the groups of the account, and its home directory. A file's group says nothing of who its user is, so
// without an account the group has the number of the user.
std::shared_ptr<const local::processes::Owner> ownerOf(uid_t user);

}  // namespace slaq::cli::store
