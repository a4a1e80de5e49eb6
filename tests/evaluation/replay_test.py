"""What evaluation/replay.py makes of what it saw of trainings and pods, and what it submits and simulates."""
import dataclasses
import pathlib
import sys
import unittest

TOP = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(TOP / each) for each in ("evaluation", "tests/rig")]
import workloads  # noqa: E402
from replaying import delays, figures, moments, progression, recorder, virtual, workload  # noqa: E402

JOB = workload.Job("job-000", 2.5, "lda-01.csv", 50.0, "Sublinear")
DELAYS = delays.Delays(start=1.2, grow=1.5, release=0.4, end=0.6)


class Progressions(unittest.TestCase):
    def test_iterations_between_two_looks_end_at_even_distances(self):
        looks = [(1.0, 1.25, 0), (2.0, 2.25, 1), (2.25, 2.5, 3)]
        self.assertEqual(progression.finishes(looks, None, 10), [2.125, 2.3125, 2.4375])

    def test_what_no_look_saw_is_over_at_the_end(self):
        self.assertEqual(progression.finishes([(1.0, 1.2, 0), (1.8, 2.2, 1)], 4.0, 3), [2.0, 3.0, 4.0])

    def test_a_job_that_was_never_looked_at_is_over_at_its_end(self):
        self.assertEqual(progression.finishes([], 4.0, 2), [4.0, 4.0])

    def test_measures_are_from_the_arrival_on(self):
        job = progression.Progression(10.0, 14.0, [11.0, 12.0, 14.0], [1.0, 0.5, 0.1, 0.0])
        self.assertAlmostEqual(job.integral(), 1 + 0.5 + 0.2)
        self.assertEqual([job.seconds_to(percent) for percent in (25, 50, 75, 90, 99)], [1.0, 1.0, 2.0, 2.0, 4.0])
        self.assertEqual(job.completion(), 4.0)
        self.assertEqual([job.level(time) for time in (10.0, 11.0, 13.0)], [1.0, 0.5, 0.1])

    def test_a_reduction_that_never_came_has_no_time(self):
        job = progression.Progression(10.0, None, [11.0], [1.0, 0.5, 0.0])
        self.assertIsNone(job.seconds_to(90))
        self.assertIsNone(job.completion())

    def test_levels_go_from_1_to_0(self):
        levels = progression.levels_of(JOB.trace)
        self.assertEqual((levels[0], min(levels)), (1, 0))


class Moments(unittest.TestCase):
    def test_shares_are_by_rank_of_the_loss(self):
        self.assertEqual(moments.shares([(0.1, 10), (0.9, 50), (0.5, 20), (0.0, 20)]), [0.5, 0.2, 0.3])
        self.assertEqual(moments.shares([]), [0, 0, 0])

    def test_only_jobs_count_that_came_and_are_not_over(self):
        jobs = {name: progression.Progression(arrival, ended, [ended], [1.0, 0.0])
                for name, arrival, ended in (("a", 0.0, 5.0), ("b", 4.0, 9.0))}
        changes = {"a": [(0.5, 3)], "b": [(4.5, 2), (8.0, 4)]}
        rows = moments.every(3, jobs, changes)
        self.assertEqual([row["activeJobs"] for row in rows], [1, 1, 1, 0])
        self.assertEqual([row["averageNormalizedLoss"] for row in rows], [1, 1, 1, 0])
        self.assertEqual(moments.mean_level(rows), 1)

    def test_workers_are_those_of_the_last_change(self):
        changes = [(0.5, 3), (2.0, 4)]
        self.assertEqual([moments.workers_at(changes, time) for time in (0.0, 0.5, 1.0, 2.0)], [0, 3, 3, 4])

    def test_of_a_simulation_each_instant_has_the_last_row(self):
        rows = [{"seconds": time, "activeJobs": number} for number, time in enumerate((0.0, 2.9, 3.0, 4.0, 9.5))]
        chosen = moments.at_regular_instants(rows, 3)
        self.assertEqual([(row["seconds"], row["activeJobs"]) for row in chosen], [(0, 0), (3, 2), (6, 3), (9, 3)])


class DelaysOfPods(unittest.TestCase):
    def setUp(self):
        job = {"workers": [(1.0, 2), (10.0, 3), (20.0, 1)], "ended": 30.0, "complete": 30.5}
        pod = {"job": "a", "leaving": None, "failed": None}
        pods = [{**pod, "created": 1.1, "ready": 2.2}, {**pod, "created": 10.1, "ready": 11.5},
                {**pod, "created": 1.1, "ready": 2.4, "leaving": 20.1, "failed": 20.4},
                {**pod, "created": 29.9, "ready": None, "leaving": 30.2, "failed": 30.4}]  # as the training was over
        quiet = {"workers": [(5.0, 1)], "ended": None, "complete": None}
        epochs = [(0.9, 0.2, 1), (9.8, 0.3, 1), (19.9, 0.2, 1)]
        self.found = delays.samples({"jobs": {"a": job, "b": quiet}, "pods": pods, "epochs": epochs})

    def test_are_counted_from_the_epoch_that_decided(self):
        self.assertEqual({name: [round(value, 3) for value in values] for name, values in self.found["a"].items()},
                         {"start": [1.3, 1.5], "grow": [1.7], "release": [0.5], "end": [0.5]})

    def test_of_a_job_without_any_are_those_of_all(self):
        own = delays.by_job(self.found)
        self.assertAlmostEqual(own["a"].start, 1.4)
        self.assertEqual(own["a"], own["b"])

    def test_of_what_never_happened_are_0(self):
        found = delays.samples({"jobs": {"b": {"workers": [], "ended": None, "complete": None}}, "pods": [], "epochs": []})
        self.assertEqual(delays.by_job(found)["b"], delays.Delays(0, 0, 0, 0))


class Workloads(unittest.TestCase):
    def test_are_those_of_the_evaluation(self):
        jobs = workload.jobs_of(workloads.Setting(seed=1), 10)
        drawn = list(workloads.draw(workloads.Setting(seed=1)))[:10]
        self.assertEqual([job.arrival for job in jobs], [arrival for arrival, _, _ in drawn])
        self.assertEqual(jobs[3].trace, f"{drawn[3][1]['name']}.csv")

    def test_of_the_simulation_have_the_same_speed_as_the_pods(self):
        text = workload.text([JOB], {JOB.name: 3.0}, {JOB.name: DELAYS}, 4)
        self.assertIn("cores: 160\n", text)
        self.assertIn("cpuSecondsPerIteration: 12.500000,", text)
        template = workload.manifest(JOB, 4)["spec"]["workers"]
        self.assertEqual(template["maxReplicas"], 160)
        self.assertEqual(template["template"]["metadata"]["annotations"]["fake-nodes/cpu-seconds-per-iteration"], "50.0000")

    def test_of_the_simulation_have_the_delays_of_the_cluster(self):
        text = workload.text([JOB], {JOB.name: 3.0}, {JOB.name: DELAYS}, 4)
        for line in ("resizeSeconds: 1.500", "releaseSeconds: 0.400", "lingerSeconds: 0.600",
                     "startSeconds: 1.200"):
            self.assertIn(line, text)


class Copies(unittest.TestCase):
    def test_begin_with_what_the_cluster_had(self):
        record = {"epochs": [(-9.5, 0.1, 0), (-4.0, 0.1, 0)], "jobs": {"a": {"created": 3.5}}}
        first, *others = virtual.copies(record, {"a": DELAYS}, 5)
        self.assertEqual(first, ({"a": 4.5}, {"a": DELAYS}))  # an epoch began at second 2
        for arrivals, shaken in others:
            self.assertTrue(4.5 <= arrivals["a"] <= 7.5)
            for each in dataclasses.fields(DELAYS):
                value = getattr(DELAYS, each.name)
                self.assertAlmostEqual(getattr(shaken["a"], each.name), value, delta=virtual.DELAYS * value)


class Agreement(unittest.TestCase):
    def test_a_job_is_near_within_15_percent(self):
        job = progression.Progression(0.0, 10.0, [1.0, 10.0], [1.0, 0.05, 0.0])
        answers = [{"jobs": {"a": {"lossIntegralSeconds": value, "secondsTo90": 1.1}}} for value in (1.4, 2.0, 2.4)]
        told = figures.job_of(job, answers, "a")
        self.assertTrue(told["to90"]["near"])
        self.assertEqual(told["to90"]["byChance"], 1)
        self.assertFalse(told["integral"]["near"])  # 1.45 of 2.0
        self.assertAlmostEqual(told["integral"]["byChance"], 1 / 3)  # 2.0 is near 1.9, and the two others are far off


class Speeds(unittest.TestCase):
    def test_are_off_by_the_worst_that_was_ever_measured(self):
        jobs = [dataclasses.replace(JOB, name=name) for name in "abcd"]  # 12.5 s of a worker each
        seen = {"a": (12.0, 13.0), "b": (5.0, 13.0), "c": (12.0, 40.0), "d": None}
        told = figures.speeds_off(jobs, {"jobs": {name: {"measuredCost": cost} for name, cost in seen.items()}}, 4)
        self.assertEqual(told, {"jobs": 3, "1.5": 2, "3": 1})

    def test_of_a_job_are_the_least_and_the_most_that_a_status_said(self):
        seen = recorder.Recorder.__new__(recorder.Recorder)
        seen.jobs = {}
        for seconds in (3.0, 2.0, 4.0):
            speeds = [{"workers": 2, "secondsPerIteration": str(seconds), "measured": True},
                      {"workers": 4, "secondsPerIteration": "99", "measured": False}]
            seen.take_status({"metadata": {"namespace": "fair", "name": "a"}, "status": {"speeds": speeds}}, 0)
        self.assertEqual(seen.jobs["fair", "a"]["measuredCost"], (4.0, 8.0))


class Looks(unittest.TestCase):
    def test_are_noted_where_iterations_were_done(self):
        looks = recorder.Looks(None, 0)
        looks.last = 1.0
        text = ('# TYPE slaq_training_iterations_total counter\nslaq_training_iterations_total{namespace="fair",pod="p",'
                'slaq_io_job="job-1",slaq_io_job_uid="u",slaq_io_role="worker"} %d\n')
        for now, done in ((1.25, 0), (1.5, 0), (1.75, 2)):
            looks.take((text % done).encode(), now)
        self.assertEqual(looks.seen, {("fair", "job-1"): [(1.0, 1.25, 0), (1.5, 1.75, 2)]})


if __name__ == "__main__":
    unittest.main()
