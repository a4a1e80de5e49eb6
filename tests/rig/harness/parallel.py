"""The same call for many things, several side by side."""
import concurrent.futures

SIDE_BY_SIDE = 16


def each(call, things, side_by_side=SIDE_BY_SIDE):
    """What the calls gave, in the order of the things."""
    with concurrent.futures.ThreadPoolExecutor(side_by_side) as pool:
        return list(pool.map(call, things))
