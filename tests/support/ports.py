"""Ports for programs that tests start."""
import socket

_held = []  # sockets that keep ports from others, as long as this process


def free_port():
    """A port that no other process is given: it is bound, and not listened on, by a socket that lets ours bind it, too."""
    family, address = (socket.AF_INET6, "::") if socket.has_dualstack_ipv6() else (socket.AF_INET, "")
    one = socket.socket(family)
    one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if family == socket.AF_INET6:
        one.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
    one.bind((address, 0))
    _held.append(one)
    return one.getsockname()[1]
