"""Figures are rounded, averaged and put into the document as they should be."""
import math
import unittest

import document
from intervals import interval, of_means


class Intervals(unittest.TestCase):
    def test_a_known_sample_has_the_interval_of_the_textbook(self):
        found = interval([1, 2, 3, 4, 5])
        self.assertAlmostEqual(found.mean, 3)
        self.assertAlmostEqual(found.half, 2.776 * math.sqrt(2.5) / math.sqrt(5), places=3)

    def test_one_value_has_no_interval(self):
        self.assertTrue(math.isnan(interval([7]).half))
        self.assertIsNone(interval([7]).json()["halfWidth"])

    def test_seeds_that_agree_leave_no_doubt(self):
        found = of_means(lambda one, other: one / other, [1, 20, 300], [2, 40, 600])
        self.assertEqual((found.mean, found.half), (0.5, 0))

    def test_the_interval_of_a_mean_alone_is_that_of_the_sample(self):
        sample = [1, 2, 4, 8, 16]
        self.assertAlmostEqual(of_means(lambda mean: mean, sample).half, interval(sample).half)


class Document(unittest.TestCase):
    def test_figures_keep_three_digits(self):
        for value, text in ((0, "0"), (0.01234, "0.0123"), (1.234, "1.23"), (12.34, "12.3"), (123.4, "123"),
                            (1234.4, "1234")):
            self.assertEqual(document.number(value), text)

    def test_a_table_replaces_the_one_before_and_keeps_the_text_around(self):
        text = "before\n<!-- a -->\nold\n<!-- end of a -->\nafter\n"
        once = document.put(text, "a", "| new |")
        self.assertEqual(once, "before\n<!-- a -->\n| new |\n<!-- end of a -->\nafter\n")
        self.assertEqual(document.put(once, "a", "| new |"), once)

    def test_a_table_without_a_place_is_an_error(self):
        with self.assertRaisesRegex(ValueError, "no place for the table 'b'"):
            document.put("<!-- a -->\n<!-- end of a -->\n", "b", "")


if __name__ == "__main__":
    unittest.main()
