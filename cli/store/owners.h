// The users of this machine who own jobs.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>

#include "local/processes/process.h"

namespace slaq::cli::store {

// "alice", or "the user 4711" if no account has that id.
std::string userName(uid_t user);

// The owner has the groups and the home directory of the account. The group of a file says nothing about its
// user, so without an account the group has the user's number.
std::shared_ptr<const local::processes::Owner> ownerOf(uid_t user);

}  // namespace slaq::cli::store
