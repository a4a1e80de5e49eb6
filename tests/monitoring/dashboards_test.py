"""The dashboards: what Grafana can draw, of metrics that exist, bounded where there are thousands of jobs."""
import re
import subprocess
import unittest

from dashboards import ROOT, boards, filled, panel_queries

def metrics_in(text):
    names = re.findall(r"\b(?:slaq|process)_[a-z_]+[a-z]\b", text)
    return {re.sub("_(bucket|count|sum)$", "", name) for name in names}


def documented():
    lines = [line for line in (ROOT / "docs/metrics.md").read_text().splitlines() if line.startswith("| `")]
    return metrics_in("\n".join(line.split(" | ")[0] for line in lines))


def exported():
    sources = (ROOT / "src/telemetry").rglob("*.cpp")
    return metrics_in("\n".join(re.findall(r'"((?:slaq|process)_[a-z_]+)"', "\n".join(each.read_text() for each in sources))))


class Dashboards(unittest.TestCase):
    def test_are_what_the_generator_writes(self):
        done = subprocess.run([ROOT / "scripts/dashboards", "--check"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_each_panel_has_an_id_and_a_place_of_its_own(self):
        for name, board in boards().items():
            ids, taken = set(), set()
            for panel in board["panels"]:
                self.assertNotIn(panel["id"], ids)
                ids.add(panel["id"])
                at = panel["gridPos"]
                self.assertLessEqual(at["x"] + at["w"], 24, panel["title"])
                cells = {(x, y) for x in range(at["x"], at["x"] + at["w"]) for y in range(at["y"], at["y"] + at["h"])}
                self.assertFalse(cells & taken, f"{name}: {panel['title']}")
                taken |= cells

    def test_code_docs_and_panels_know_the_same_metrics(self):
        shown = set().union(*(metrics_in(query) for board in boards().values() for _, query in panel_queries(board)))
        self.assertEqual(exported(), documented())
        self.assertEqual(documented(), shown)

    def test_curves_of_the_cluster_are_bounded(self):
        for title, query in panel_queries(boards()["cluster"]):
            if "slaq_job_" in query and not query.startswith(("avg(", "quantile(", "sum(", "(sum(", "count(")):
                self.assertTrue(query.startswith("topk($top, "), f"{title}: {query}")

    def test_metrics_of_jobs_are_of_the_chosen_jobs_and_told_once(self):
        for board in boards().values():
            for title, query in panel_queries(board):
                for metric in re.finditer(r"slaq_job_[a-z_]+", query):
                    after, before = query[metric.end():], query[:metric.start()]
                    self.assertTrue(after.startswith('{training_namespace=~"$namespace",training_job=~"$job"'), title)
                    self.assertRegex(before, r"max by \([a-z_, ]+\) \($", title)

    def test_they_lead_to_each_other(self):
        for board in boards().values():
            self.assertEqual([link["tags"] for link in board["links"]], [["slaq"]])
            self.assertEqual(board["tags"], ["slaq"])
        self.assertIn("/d/slaq-job?", str(boards()["cluster"]))

    def test_queries_are_promql(self):
        rules = "groups:\n- name: panels\n  rules:\n"
        for board in boards().values():
            for i, (title, query) in enumerate(panel_queries(board)):
                rules += f"  - record: panel_{i}\n    expr: {filled(query)!r}\n    labels: {{title: {title!r}, board: {board['uid']}}}\n"
        done = subprocess.run(["promtool", "check", "rules", "/dev/stdin"], input=rules, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
