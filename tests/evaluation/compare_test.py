"""Two programs are compared row by row, each seed with itself."""
import unittest

import compare


def told(*values, **row):
    figures = {measure: {"seeds": list(values)} for measure in compare.MEASURES}
    return {"simulations": [{"arrivals": 15, "policy": "LookAhead", "predictor": "Ensemble", **row, **figures}]}


class Compare(unittest.TestCase):
    def verdict(self, before, after):
        return compare.text(told(*before), told(*after)).splitlines()[2].split(" | ")[4]

    def test_a_change_that_all_seeds_share_counts_however_far_apart_seeds_lie(self):
        self.assertEqual(self.verdict([1, 10, 100], [0.9, 9, 90]), "better")
        self.assertEqual(self.verdict([1, 10, 100], [1.1, 11, 110]), "worse")

    def test_a_change_by_which_seeds_differ_is_none(self):
        self.assertEqual(self.verdict([10, 10, 10], [11, 9, 10]), "same")

    def test_rows_that_only_one_has_are_left_out(self):
        lines = compare.text(told(1, 2), told(1, 2, source="recordings")).splitlines()
        self.assertEqual(len(lines), 2)

    def test_files_without_a_field_mean_the_plain_workload(self):
        lines = compare.text(told(1, 2), told(1, 2, held_out=False, cap=640)).splitlines()
        self.assertEqual(len(lines), 3)

    def test_rows_are_named_by_what_is_unusual_of_them(self):
        lines = compare.text(*[told(1, 2, pause=5, resize="gentle", source="recordings", price="Configured")] * 2)
        self.assertIn("| 15 s, recordings, pauses of 5 s, gentle, LookAhead Ensemble, price Configured |", lines)

    def test_other_numbers_of_seeds_cannot_be_paired(self):
        with self.assertRaisesRegex(SystemExit, "2 and 3 seeds"):
            compare.text(told(1, 2), told(1, 2, 3))


if __name__ == "__main__":
    unittest.main()
