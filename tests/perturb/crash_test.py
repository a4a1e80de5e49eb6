"""Row 1: SIGKILL after each single write of a calm run."""
import threading

from harness.parallel import each
from rows import Rows, main

AT_A_TIME = 6


class Crash(Rows):
    def calm_run(self):
        scenario = self.scenario("-calm")
        controller = scenario.started()
        self.run_to_the_end(scenario)
        return scenario, self.crash_points(controller.proxy.writes)

    @staticmethod
    def crash_points(writes):
        return sum(counts(request) for request, _ in writes)

    def crashed_run(self, number):
        """The run with a SIGKILL after that write, before its reply; the write."""
        scenario = self.scenario(f"-{number}")
        controller = scenario.started()
        seen, at = [0], []

        def crash(request, _):
            if not counts(request):
                return
            seen[0] += 1
            if seen[0] == number:
                at.append(str(request))
                controller.kill()
                threading.Thread(target=controller.start).start()

        controller.proxy.afterwards.append(crash)
        self.run_to_the_end(scenario)
        came = scenario.end_state(), scenario.writes(), scenario.report()
        scenario.close()
        return at[0] if at else None, *came

    def test_01_after_each_write_the_end_and_the_writes_are_those_of_a_calm_run(self):
        calm, points = self.calm_run()
        self.assertGreater(points, 15)
        killed = set()
        for at, end_state, writes, report in each(self.crashed_run, range(1, points + 1), AT_A_TIME):
            with self.subTest(after=at):
                killed.add(at)
                self.assertEqual(end_state, calm.end_state(), report)
                self.assertEqual(writes, calm.writes(), report)
        # How many statuses are written is a matter of time, so that a run may have fewer writes. All others were cut.
        self.assertLessEqual(set(calm.writes()), killed)


def counts(request):
    return request.is_write and not request.is_lease and "events" not in request.place


if __name__ == "__main__":
    main()
