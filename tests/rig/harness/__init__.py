"""A rig whose nodes are played, a controller on it as a process, and what both are watched by."""
