"""How shown and printed output are compared: what varies may differ, all else may not."""
import unittest

from sessions import Failed, differs, perform, steps
from documents import ROOT, Block


def session(text):
    return Block("a.md", 1, "console", text)


class Comparison(unittest.TestCase):
    def test_takes_the_same_and_nothing_else(self):
        self.assertIsNone(differs("a  1\nb", "a  1  \nb\n", {}))
        self.assertIsNotNone(differs("a  1\nb", "a 1\nb", {}))
        self.assertIsNotNone(differs("a", "a\nb", {}))

    def test_takes_anything_for_dots(self):
        self.assertIsNone(differs("a\n...\nd\n", "a\nb\nc\nd\n", {}))
        self.assertIsNone(differs("a ... d\n...\n", "a b c d\n", {}))
        self.assertIsNotNone(differs("a\n...\nd\n", "a\nb\n", {}))

    def test_takes_other_values_of_a_kind_that_varies(self):
        self.assertIsNone(differs("since 0:08, 2 workers", "since 12:00:08, 10 workers", {"varies": ["time", "number"]}))
        self.assertIsNotNone(differs("since 0:08, 2 workers", "since 12:00:08, 10 workers", {"varies": ["number"]}))
        self.assertIsNotNone(differs("since 0:08, 2 workers", "since ever, 2 workers", {"varies": ["time"]}))

    def test_misses_only_what_is_optional(self):
        shown = "  next core ██ 0.1\n  price     █ 0.05\nend\n"
        self.assertIsNone(differs(shown, "end\n", {"optional": ["gain"]}))
        self.assertIsNotNone(differs(shown, "end\n", {"varies": ["gain"]}))


class Sessions(unittest.TestCase):
    def perform(self, text, **entry):
        perform(session(text), entry, ROOT, {"PATH": "/usr/bin:/bin"}, "nowhere")

    def test_are_commands_with_their_outputs(self):
        self.assertEqual(steps(session("$ a \\\n  b\nc\n$ d\n")), [("a \\\n  b", "c\n"), ("d", "")])

    def test_fail_by_their_exit_code_and_by_what_is_printed(self):
        self.perform("$ echo a\na\n")
        self.perform("$ echo a && exit 3\na\n", exit=3)
        for wrong in ("$ false\n", "$ echo a\nb\n", "$ false | cat\n", "$ echo a; exit 1\n$ echo b\nb\n"):
            with self.assertRaises(Failed):
                self.perform(wrong)
        with self.assertRaises(Failed):
            self.perform("$ echo a\na\n", exit=3)


if __name__ == "__main__":
    unittest.main()
