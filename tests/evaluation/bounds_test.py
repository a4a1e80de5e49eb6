"""Who is to know more than a forecaster can does know it, and nothing besides."""
import sys
import unittest

try:
    import bounds
except ImportError:
    print("python3-numpy is not installed; see scripts/install-deps --evaluation")
    sys.exit(77)


class Bounds(unittest.TestCase):
    def test_who_knows_the_curve_errs_by_nothing_where_there_is_no_noise(self):
        self.assertLess(bounds.traces().error(bounds.known_shape(bounds.traces().loss)).max(), 1e-5)

    def test_who_knows_the_curve_is_not_helped_by_another_height_and_floor(self):
        seen = 3 * bounds.traces().loss + 5
        true = bounds.known_shape(seen)[:, 50]
        self.assertLess(abs(true - (3 * bounds.traces().loss[:, 60] + 5)).max(), 1e-5)

    def test_nobody_learns_a_curve_from_itself(self):
        for related in (False, True):
            barred = bounds._unknown(related)
            for trace in range(len(bounds.traces().name)):
                self.assertTrue(barred[trace, trace::len(bounds.traces().name)].all())

    def test_who_knows_only_other_algorithms_errs_more(self):
        seen = bounds.traces().loss
        every, other = (bounds.traces().error(bounds.learned(seen, related)).mean() for related in (False, True))
        self.assertLess(every, other)


if __name__ == "__main__":
    unittest.main()
