"""Row 1: SIGKILL after each single write of a calm run."""
import collections
import re
import threading

from harness.parallel import each
from rows import Rows, main

AT_A_TIME = 6


class Crash(Rows):
    def calm_run(self):
        scenario = self.scenario("-calm")
        controller = scenario.started()
        self.run_to_the_end(scenario)
        return scenario, self.crash_points(controller.proxy.taken())

    @staticmethod
    def crash_points(writes):
        """Each of these writes, by the object and by how often that had been written before. The server took them all:
        whether a write is refused first, as a conflict, is a matter of time."""
        seen = collections.Counter()
        points = []
        for what in map(str, writes):
            points.append((what, seen[what]))
            seen[what] += 1
        return points

    def crashed_run(self, point):
        """The run with a SIGKILL after that write, before its reply; whether there was that write."""
        what, number = point
        scenario = self.scenario("-" + re.sub(r"[^a-z]+", "-", what.lower()).strip("-")[-30:] + f"-{number}")
        controller = scenario.started()
        seen, killed = [0], []

        def crash(request, status):
            if str(request) != what or status >= 300:
                return
            seen[0] += 1
            if seen[0] == number + 1:
                killed.append(point)
                controller.kill()
                threading.Thread(target=controller.start).start()

        controller.proxy.afterwards.append(crash)
        self.run_to_the_end(scenario)
        came = scenario.end_state(), scenario.writes(), scenario.report()
        scenario.close()
        return point, bool(killed), *came

    def test_01_after_each_write_the_end_and_the_writes_are_those_of_a_calm_run(self):
        calm, points = self.calm_run()
        self.assertGreater(len(points), 15)
        for point, was_killed, end_state, writes, report in each(self.crashed_run, points, AT_A_TIME):
            with self.subTest(after=point):
                # How often statuses and records are written is a matter of time. Each other write is made in all runs.
                self.assertTrue(was_killed or point[0] not in calm.writes(), report)
                self.assertEqual(end_state, calm.end_state(), report)
                self.assertEqual(writes, calm.writes(), report)


if __name__ == "__main__":
    main()
