"""What the package has for PyTorch: a batch that stays the same whatever the number of workers, and checkpoints from which
other workers go on. Left out, with a line, where PyTorch is not installed."""
import collections
import fractions
import importlib.util
import os
import pickle
import random
import signal
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

from programs import environment

LIMIT_SECONDS = 600  # only what hangs takes so long

# The workers of one training, forked once PyTorch is loaded. They meet in a file, and print their steps. With `leaves`, the
# last one gets SIGTERM in that step.
WORKERS = """
import os, signal, sys
import torch
import torch.distributed as dist
from slaq.torch import Checkpoint, GlobalBatch
folder, world, steps, leaves = sys.argv[1], *map(int, sys.argv[2:])
children = []
for rank in range(world):
    children.append(os.fork())
    if children[-1] == 0:
        break
else:
    print("codes", *[os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children])
    sys.exit()
def say(words):
    os.write(1, f"{rank}: {words}\\n".encode())  # at once, so that the lines of all stay whole
dist.init_process_group("gloo", init_method=f"file://{folder}/meeting-of-{world}", rank=rank, world_size=world)
torch.set_num_threads(1)
torch.manual_seed(5 + rank)  # each begins with other weights; those of rank 0 are taken
data = torch.utils.data.TensorDataset(*torch.randn(2, 100, 3, generator=torch.Generator().manual_seed(1)).unbind())
network = torch.nn.Linear(3, 3)
model = torch.nn.parallel.DistributedDataParallel(network)
optimizer = torch.optim.SGD(model.parameters(), 0.1, momentum=0.9)
state = Checkpoint(f"{folder}/{rank}.pt", model=network, optimizer=optimizer)
done = state.restore()
say(f"begins {done}")
batch = GlobalBatch(31, largest=4)
parts = iter(torch.utils.data.DataLoader(data, batch_sampler=batch.sampler(len(data), step=done)))
for step in range(done + 1, steps + 1):
    optimizer.zero_grad()
    total = torch.zeros(())
    for _ in range(batch.parts):
        x, y = next(parts)
        loss = torch.nn.functional.mse_loss(model(x), y) * batch.weight(len(x))
        loss.backward()
        total += loss.detach()
    if step == leaves and rank == world - 1:
        os.kill(os.getpid(), signal.SIGTERM)
    optimizer.step()
    dist.all_reduce(total)
    say(f"did {step}: {total.item() / batch.world:.4f}")
    state.after(step)
state.save(steps)
del model
dist.destroy_process_group()
"""


class Program:
    """With a process group of its own, which does not outlive the block that it is used in."""

    def __init__(self, program, *arguments):
        self._process = subprocess.Popen([sys.executable, "-B", "-c", program, *map(str, arguments)], env=environment(),
                                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.communicate()

    def output(self):
        output, errors = self._process.communicate(timeout=LIMIT_SECONDS)
        if self._process.returncode != 0:
            raise AssertionError(errors)
        return output, errors


def train(folder, world, steps, leaves=0):
    """The exit codes of the workers, each of which has a checkpoint of its own in the folder, and the lines of each."""
    with Program(WORKERS, folder, world, steps, leaves) as workers:
        lines, errors = workers.output()
    *lines, codes = lines.splitlines()
    codes = [int(code) for code in codes.split()[1:]]
    if not set(codes) <= {0, 143}:
        raise AssertionError(errors)
    return codes, [[line[3:] for line in lines if line.startswith(f"{rank}: ")] for rank in range(world)]


def saved(file):
    import torch  # pylint: disable=import-outside-toplevel
    state = torch.load(file, weights_only=False)
    return state["step"], torch.cat([value.flatten() for value in state["model"].values()])


class Batches(unittest.TestCase):
    def test_are_cut_into_parts_that_all_workers_share(self):
        from slaq.torch import GlobalBatch  # pylint: disable=import-outside-toplevel
        draw = random.Random(1)
        for _ in range(300):
            world, largest = draw.randint(1, 9), draw.choice([None, draw.randint(2, 40)])
            rows = world * draw.randint(2, 60) + draw.randrange(world)
            batches = [GlobalBatch(rows, largest, world, rank) for rank in range(world)]
            slices = [part for batch in batches for part in batch.slices]
            self.assertEqual([row for part in slices for row in range(rows)[part]], list(range(rows)))
            self.assertEqual({len(batch.slices) for batch in batches}, {batches[0].parts})
            sizes = [part.stop - part.start for part in slices]
            self.assertGreater(min(sizes), 0)
            self.assertLessEqual(max(sizes), largest or rows)
            self.assertAlmostEqual(sum(batches[0].weight(size) for size in sizes) / world, 1)

    def test_that_leave_a_worker_without_rows_are_refused(self):
        from slaq.torch import GlobalBatch  # pylint: disable=import-outside-toplevel
        for rows, largest, world in ((3, None, 4), (5, 1, 3)):
            with self.assertRaisesRegex(ValueError, "without a row"):
                GlobalBatch(rows, largest, world, 0)
        with self.assertRaisesRegex(ValueError, "cannot be drawn"):
            GlobalBatch(8).sampler(7)

    def test_have_the_same_rows_with_each_number_of_workers_and_from_each_step_on(self):
        from slaq.torch import GlobalBatch  # pylint: disable=import-outside-toplevel

        def drawn(world, step, steps):
            rows = [[] for _ in range(steps)]
            for rank in range(world):
                batch = GlobalBatch(8, 3, world, rank)
                parts = iter(batch.sampler(35, seed=2, step=step))
                for each in rows:
                    for _ in range(batch.parts):
                        each += next(parts)
            return rows

        whole = drawn(1, 0, 12)
        for epoch in range(3):
            seen = [row for rows in whole[4 * epoch:4 * epoch + 4] for row in rows]
            self.assertEqual(len(set(seen)), 32)
        self.assertNotEqual(whole[:4], whole[4:8])
        for world in (1, 2, 3):
            for step in (0, 3, 6):
                self.assertEqual(drawn(world, step, 6), whole[step:step + 6])


class Trainings(unittest.TestCase):
    def test_go_the_same_way_with_each_number_of_workers_and_where_one_left(self):
        import torch  # pylint: disable=import-outside-toplevel
        with tempfile.TemporaryDirectory() as alone, tempfile.TemporaryDirectory() as folder:
            codes, [expected] = train(alone, 1, 7)
            self.assertEqual((codes, expected[0], len(expected)), ([0], "begins 0", 8))

            codes, outputs = train(folder, 2, 7, leaves=3)
            self.assertEqual(codes, [143, 143])
            self.assertEqual(outputs, [expected[:4]] * 2, "each worker knows the loss of the whole batch")
            self.assertEqual([saved(f"{folder}/{rank}.pt")[0] for rank in range(2)], [3, 3], "they left after the same step")

            os.remove(f"{folder}/0.pt")  # as a worker that is new
            codes, outputs = train(folder, 3, 7)
            self.assertEqual(codes, [0, 0, 0])
            self.assertEqual(outputs, [["begins 3", *expected[4:]]] * 3)
            for rank in range(3):
                step, weights = saved(f"{folder}/{rank}.pt")
                self.assertEqual(step, 7)
                torch.testing.assert_close(weights, saved(f"{alone}/0.pt")[1], rtol=1e-5, atol=1e-6)

    def test_ask_who_leaves_with_a_tensor_that_no_thread_of_the_group_frees(self):
        """Such a thread waits for Python's lock; if Python ends meanwhile, that aborts the process."""
        program = """
import sys, torch.distributed as dist
from slaq.torch import Checkpoint
dist.init_process_group("gloo", init_method=f"file://{sys.argv[1]}/meeting", rank=0, world_size=1)
asked, all_reduce = [], dist.all_reduce
dist.all_reduce = lambda tensor, *rest: (asked.append(tensor), all_reduce(tensor, *rest))
state = Checkpoint(f"{sys.argv[1]}/state.pt")
state.after(1)
state.after(2)
print(len(asked), asked[0] is asked[1])
"""
        with tempfile.TemporaryDirectory() as folder, Program(program, folder) as training:
            self.assertEqual(training.output()[0], "2 True\n")

    def test_in_one_process_save_the_step_at_sigterm(self):
        program = """
import os, signal, sys, torch
from slaq.torch import Checkpoint
for _ in range(2):
    child = os.fork()
    if child == 0:
        break
    print("code", os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
else:
    sys.exit()
model = torch.nn.Linear(2, 2)
state = Checkpoint(sys.argv[1], every=2, model=model)
print("begins", state.restore(), flush=True)
for step in range(1, 9):
    if step == 5:
        os.kill(os.getpid(), signal.SIGTERM)
    state.after(step)
    print(step, os.path.exists(sys.argv[1]), flush=True)
"""
        with tempfile.TemporaryDirectory() as folder:
            with Program(program, f"{folder}/state.pt") as training:
                output, errors = training.output()
            self.assertEqual(errors, "")
            first = ["begins 0", "1 False", "2 True", "3 True", "4 True", "code 143"]
            second = ["begins 5", "1 True", "2 True", "3 True", "4 True", "code 143"]
            self.assertEqual(output.splitlines(), first + second)
            self.assertEqual(saved(f"{folder}/state.pt")[0], 5)
            self.assertEqual(os.listdir(folder), ["state.pt"])


class Part:
    """Of a state: whatever it is given."""

    def __init__(self, state):
        self.state = state

    def state_dict(self):
        return self.state

    def load_state_dict(self, state):
        self.state = state


class Checkpoints(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        self.path = f"{self.folder}/run.pt"
        self.addCleanup(signal.signal, signal.SIGTERM, signal.getsignal(signal.SIGTERM))

    def checkpoint(self, state):
        from slaq.torch import Checkpoint  # pylint: disable=import-outside-toplevel
        part = Part(state)
        return Checkpoint(self.path, part=part), part

    def test_hold_whatever_can_be_pickled(self):
        state = {"rate": 0.1, "milestones": collections.Counter([3, 4]), "best": fractions.Fraction(1, 3), "none": None}
        self.checkpoint(state)[0].save(7)
        checkpoint, part = self.checkpoint({})
        self.assertEqual((checkpoint.restore(), part.state), (7, state))

    def test_of_processes_that_share_a_file_and_a_process_id_are_whole(self):
        (one, _), (other, _) = self.checkpoint({"of": "one"}), self.checkpoint({"of": "other"})
        replace = os.replace

        def replace_after_the_other(*arguments):
            with mock.patch("os.replace", replace):
                other.save(4)
            replace(*arguments)

        with mock.patch("os.replace", replace_after_the_other):
            one.save(4)
        checkpoint, part = self.checkpoint({})
        self.assertEqual((checkpoint.restore(), part.state), (4, {"of": "one"}))
        self.assertEqual(os.listdir(self.folder), ["run.pt"])

    def test_that_cannot_be_written_leave_the_one_before(self):
        checkpoint, part = self.checkpoint({"of": "before"})
        checkpoint.save(1)
        part.state = {"function": lambda: 0}
        with self.assertRaises((pickle.PicklingError, AttributeError)):
            checkpoint.save(2)
        self.assertEqual(os.listdir(self.folder), ["run.pt"])
        self.assertEqual(checkpoint.restore(), 1)
        self.assertEqual(part.state, {"of": "before"})


if __name__ == "__main__":
    if importlib.util.find_spec("torch") is None:
        print("left out, since it is not installed: PyTorch", file=sys.stderr)
        sys.exit(0)
    unittest.main()
