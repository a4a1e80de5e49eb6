"""Whether the observer would find what it looks for."""
import unittest

from leases import DELETED, Change, written_without
from proxy import Request

# a leads, then b, then a thief, then nobody, then a again, who gives the lease back.
CHANGES = [Change(10, "a", 1.0), Change(20, "b", 5.0), Change(30, "thief", 10.0), Change(40, DELETED, 15.0),
           Change(50, "a", 20.0), Change(60, "", 25.0)]


class Observed(unittest.TestCase):
    def test_00_a_write_without_the_lease_is_found(self):
        for who, revision, begun, is_found in (
                ("a", 5, 0.5, True),     # it did not lead yet
                ("a", 15, 3.0, False),
                ("b", 15, 3.0, True),
                ("a", 25, 5.2, False),   # on its way
                ("a", 25, 6.0, True),
                ("b", 35, 11.0, False),  # it may not know of the thief
                ("b", 35, 13.0, True),
                ("b", 45, 16.0, True),
                ("a", 55, 22.0, False),
                ("a", 65, 26.0, True),
                ("a", 0, 22.0, False),   # a deletion, whose answer has no revision
                ("b", 0, 22.0, True)):
            with self.subTest(who=who, revision=revision, begun=begun):
                request = Request("PATCH", "/", b"", begun=begun, revision=revision)
                self.assertEqual(written_without(CHANGES, request, {who}, {"a", "b"}, seized=2), is_found)

    def test_00_a_write_that_changes_nothing_is_found(self):
        for revision, is_found in ((7, True), (8, True), (9, False), (0, False)):
            self.assertEqual(Request("PATCH", "/", b"", known=8, revision=revision).changed_nothing, is_found)


if __name__ == "__main__":
    unittest.main()
