// The users of this machine, to whom jobs belong.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>

#include "local/processes/process.h"

namespace slaq::cli::store {

// "alice", or "the user 4711" if no account has that id.
std::string userName(uid_t user);

// With the groups of the account, and its home directory.
std::shared_ptr<const local::processes::Owner> ownerOf(uid_t user, gid_t group);

}  // namespace slaq::cli::store
