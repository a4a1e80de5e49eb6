"""Rows 12 and 13: Prometheus fails, or says what no training does."""
import json

from harness.losses import ITERATIONS, LOSS
from harness.parallel import each
from rows import Rows, main


class LossesFail(Rows):
    def test_00_cores_go_from_a_training_that_has_converged_to_one_that_learns(self):
        """All the way from the losses to the workers, before anything is broken."""
        scenario = self.scenario(policy="LookAhead")
        scenario.started()
        scenario.apply("converged", iterations=10**9)
        scenario.wait("it has converged", lambda: scenario.training("converged").iteration > 700)
        scenario.apply("learns", iterations=10**9)
        scenario.training("learns").loss = lambda k: 1 / (1 + k / 1000)
        scenario.wait("the one that learns has most of the cores",
                      lambda: scenario.workers("learns") >= 3 * scenario.workers("converged") > 0)

    def two_jobs(self, stop=None):
        """Two trainings that share the cores and whose losses are forecast. The first may have a rule by which slaq would
        end it."""
        scenario = self.scenario(policy="LookAhead")
        scenario.started()
        scenario.apply("a", iterations=100000, stop=stop)
        scenario.apply("b", iterations=100000)
        for job in ("a", "b"):
            scenario.wait(f"{job} is forecast", lambda: scenario.condition(job, "ModelFitted").get("status") == "True")
        return scenario

    def test_12_without_answers_the_last_workers_stay_and_people_are_told(self):
        faults = {"down": (503, b"down"), "refused": (422, b'{"status":"error","errorType":"execution","error":"too many samples"}'),
                  "html": (200, b"<html>welcome</html>"), "truncated": (200, b'{"status":"success","data":{"resu')}
        each(lambda name: self.without_answers(name, faults[name]), faults)

    def without_answers(self, name, fault):
        scenario = self.scenario(f"-{name}", policy="LookAhead")
        scenario.started()
        for job in ("a", "b"):
            scenario.apply(job, iterations=100000)
        scenario.wait("both are forecast", lambda: all(
            scenario.condition(job, "ModelFitted").get("status") == "True" for job in ("a", "b")))
        scenario.losses.fault = lambda path, form: fault
        scenario.wait("people are told", lambda: all(
            scenario.condition(job, "MetricsAvailable").get("reason") == "LossSourceDown" for job in ("a", "b")))
        held = {job: scenario.workers(job) for job in ("a", "b")}
        scenario.settle(20)
        self.assertEqual({job: scenario.workers(job) for job in ("a", "b")}, held, scenario.report())
        scenario.losses.fault = lambda path, form: None
        scenario.wait("losses are read again", lambda: all(
            scenario.condition(job, "MetricsAvailable").get("status") == "True" for job in ("a", "b")))

    def test_12_absurd_losses_neither_end_a_job_nor_harm_another(self):
        scenario = self.two_jobs()
        for value in ("NaN", "+Inf", "-Inf", "-1e300", "1e300"):
            self.answer(scenario, "a", LOSS, value)
            for job in ("a", "b"):
                self.assertEqual(scenario.state(job), "Running", value + scenario.report())
                self.assertGreaterEqual(scenario.workers(job), 1, value)
            reason = lambda: scenario.condition("a", "MetricsAvailable").get("reason")
            if "e" not in value:
                scenario.wait("people are told", lambda: reason() == "LossNotFinite")
            scenario.losses.fault = lambda path, form: None
            scenario.wait("its loss is read again", lambda: reason() == "LossReported")

    def test_12_absurd_iterations_do_not_end_a_job(self):
        scenario = self.two_jobs(stop={"maxIterations": 50000})
        for value in ("NaN", "+Inf", "-5", "1e300"):
            self.answer(scenario, "a", ITERATIONS, value)
            self.assertEqual(scenario.state("a"), "Running", value + scenario.report())

    def test_13_a_trainer_that_goes_on_from_a_checkpoint_has_not_converged(self):
        scenario = self.two_jobs(stop={"maxIterations": 2000})
        scenario.wait("it has come far", lambda: scenario.training("a").iteration > 60)
        scenario.training("a").go_back(5.0, stands_at=900)  # below spec.stop.maxIterations
        scenario.settle(50)
        self.assertEqual(scenario.state("a"), "Running", scenario.report())
        self.assertNotEqual(scenario.condition("a", "Complete").get("status"), "True")

    def test_13_a_series_that_stands_still_is_no_convergence(self):
        scenario = self.two_jobs()
        frozen = scenario.losses.trainings()
        samples = frozen["a"][0].seen()
        scenario.training("a").seen = lambda: samples
        scenario.settle(50)
        self.assertEqual(scenario.state("a"), "Running", scenario.report())
        self.assertGreaterEqual(scenario.workers("a"), 1)

    @staticmethod
    def answer(scenario, job, metric, value):
        """From now on the newest sample of that series has this value. Returns once it was read and decided on."""
        answered = []

        def fault(_, form):
            answer = json.loads(scenario.losses.answer(form))
            for series in answer["data"]["result"]:
                if series["metric"]["slaq_io_job"] == job and series["metric"]["__name__"] == metric:
                    series["values"][-1][1] = value
                    answered.append(value)
            return 200, json.dumps(answer).encode()

        scenario.losses.fault = fault
        scenario.wait(f"{metric} was read as {value}", lambda: len(answered) >= 3)
        scenario.settle(10)


if __name__ == "__main__":
    main()
