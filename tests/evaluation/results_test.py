"""The file of results is JSON whatever its lines look like."""
import json
import unittest

import results


class Text(unittest.TestCase):
    def test_says_the_same_with_figures_of_all_seeds_on_one_line(self):
        told = {"seeds": 2, "simulations": [{"what": "a {b} [c]", "integral": {"mean": 1.5e-07, "seeds": [1, -2.5]}}],
                "empty": [], "nothing": None}
        said = results.text(told)
        self.assertEqual(json.loads(said), told)
        self.assertIn('"integral": {"mean": 1.5e-07, "seeds": [1, -2.5]}', said)


if __name__ == "__main__":
    unittest.main()
