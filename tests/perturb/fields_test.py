"""Row 16: each field of the resource is set to what nobody would, and then set back."""
import copy

from rows import Rows, main

# None takes the field away.
VALUES = (None, "", "x" * 5000, "\x1b[31m\n", -1, 0, 1, 10**6, 2**31 - 1, 2**63 - 1, 1e300, True, [], {}, [1, 2], {"a": 1})

# A template can't be changed; what it says is Kubernetes' own.
FIELDS = ("weight", "suspend", "replicas", "scheduling", "value", "workers", "workers.minReplicas", "workers.maxReplicas", "workers.sizes",
          "workers.replicas", "workers.restart", "workers.restart.pauseSeconds", "workers.restart.checkpointed",
          "workers.scaling", "workers.cpu", "workers.cpu.min", "workers.cpu.max", "driver", "loss", "loss.metric",
          "loss.iterationMetric", "loss.query", "loss.iterationQuery", "loss.mode", "loss.convergence", "loss.target", "stop",
          "stop.lossReductionPercent", "stop.maxIterations", "stop.activeDeadlineSeconds", "backoffLimit",
          "ttlSecondsAfterFinished")

# These end the training, as their owner says; it is made anew afterwards.
ENDED = ("Complete", "Failed", "Stopped")


class Fields(Rows):
    def test_16_no_field_harms_more_than_its_own_job(self):
        scenario = self.scenario()
        controller = scenario.started()
        scenario.apply("b", iterations=10**9, least=2, most=2)
        scenario.apply("a", iterations=10**9, least=2, most=2)
        both_run = lambda: all(scenario.status(job).get("readyReplicas") == 2 for job in ("a", "b"))
        scenario.wait("both run", both_run)
        refused = taken = 0
        untouched = scenario.child("b-workers")["metadata"]["generation"]
        for field in FIELDS:
            for value in VALUES:
                with self.subTest(field=field, value=str(value)[:20]):
                    status = self.put(scenario, "a", field, value)
                    self.assertIn(status, (200, 400, 422))
                    refused += status != 200
                    taken += status == 200
                    if status == 200:
                        scenario.settle(2)  # so that it is decided on
            # The last value that was taken stays for some epochs.
            scenario.settle(2)
            self.assertIsNone(controller.process.poll(), scenario.report())
            if scenario.job("a") is None or scenario.state("a") in ENDED:
                scenario.api.delete(f"{scenario.jobs_path}/a")
                scenario.wait("it is gone", lambda: not scenario.job("a") and not scenario.child("a-workers"))
                scenario.apply("a", iterations=10**9, least=2, most=2)
            else:
                self.assertEqual(self.put(scenario, "a", None, None), 200)
            scenario.wait(f"both run again after {field}", both_run)
        self.assertGreater(refused, 200)
        self.assertGreater(taken, 50)
        self.assertEqual(scenario.child("b-workers")["metadata"]["generation"], untouched, "b was changed")

    def put(self, scenario, name, field, value):
        """The status of a replacement of the job in which the field has that value, and all others their first one."""
        path = f"{scenario.jobs_path}/{name}"
        job = scenario.job(name)
        if job is None:
            return 200  # its time to live was over
        job["spec"] = copy.deepcopy(scenario.specs[name])
        if field:
            *above, last = field.split(".")
            place = job["spec"]
            for each in above:
                place = place.setdefault(each, {})
            place.pop(last, None) if value is None else place.__setitem__(last, value)
        status, answer = scenario.api.call("PUT", path, job)
        return self.put(scenario, name, field, value) if status == 409 else status


if __name__ == "__main__":
    main()
