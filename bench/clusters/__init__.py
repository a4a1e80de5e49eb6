"""The parts of bench/cluster."""
