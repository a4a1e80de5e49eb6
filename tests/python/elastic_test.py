"""What the package has for PyTorch: a batch that stays the same whatever the number of workers, and checkpoints from which
other workers go on. Left out, with a line, where PyTorch is not installed."""
import importlib.util
import os
import random
import signal
import subprocess
import sys
import tempfile
import unittest

from programs import environment

# A worker: it meets the others in the file `meeting`, and prints its first steps. `steps` may be more than it gets to.
WORKER = """
import sys
import torch
import torch.distributed as dist
from slaq.torch import Checkpoint, GlobalBatch
meeting, checkpoint, steps, rank, world = sys.argv[1], sys.argv[2], *map(int, sys.argv[3:])
dist.init_process_group("gloo", init_method=f"file://{meeting}", rank=rank, world_size=world)
torch.set_num_threads(1)
torch.manual_seed(5 + rank)  # each begins with other weights; those of rank 0 are taken
data = torch.utils.data.TensorDataset(*torch.randn(2, 100, 3, generator=torch.Generator().manual_seed(1)).unbind())
network = torch.nn.Linear(3, 3)
model = torch.nn.parallel.DistributedDataParallel(network)
optimizer = torch.optim.SGD(model.parameters(), 0.1, momentum=0.9)
state = Checkpoint(checkpoint, model=network, optimizer=optimizer)
done = state.restore()
print("begins", done, flush=True)
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
    optimizer.step()
    dist.all_reduce(total)
    if step <= 3:  # what is not read must not fill a pipe
        print(f"did {step}: {total.item() / batch.world:.4f}", flush=True)
    state.after(step)
state.save(steps)
dist.destroy_process_group()
"""


class Workers:
    """Of one training; each has a checkpoint of its own in the folder."""

    def __init__(self, folder, world, steps):
        meeting = tempfile.mktemp(dir=folder)
        self.processes = [subprocess.Popen(
            [sys.executable, "-B", "-c", WORKER, meeting, f"{folder}/{rank}.pt", str(steps), str(rank), str(world)],
            env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for rank in range(world)]

    def end(self):
        """Their exit codes and outputs."""
        outputs = [process.communicate(timeout=300) for process in self.processes]
        for process, (_, errors) in zip(self.processes, outputs):
            if process.returncode not in (0, 143):
                raise AssertionError(errors)
        return [process.returncode for process in self.processes], [output for output, _ in outputs]


def saved(file):
    import torch  # pylint: disable=import-outside-toplevel
    state = torch.load(file)
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
    def test_go_the_same_way_with_each_number_of_workers(self):
        import torch  # pylint: disable=import-outside-toplevel
        with tempfile.TemporaryDirectory() as alone, tempfile.TemporaryDirectory() as together:
            losses = set()
            for folder, world in ((alone, 1), (together, 3)):
                codes, outputs = Workers(folder, world, 7).end()
                self.assertEqual(codes, [0] * world)
                losses |= set(outputs)
            self.assertEqual(len(losses), 1, "each worker knows the loss of the whole batch")
            _, expected = saved(f"{alone}/0.pt")
            for rank in range(3):
                step, weights = saved(f"{together}/{rank}.pt")
                self.assertEqual(step, 7)
                torch.testing.assert_close(weights, expected, rtol=1e-5, atol=1e-6)

    def test_go_on_with_other_workers_where_one_left(self):
        import torch  # pylint: disable=import-outside-toplevel
        with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as whole:
            two = Workers(folder, 2, 10**9)
            while not two.processes[0].stdout.readline().startswith("did 3: "):
                self.assertIsNone(two.processes[0].poll())
            two.processes[1].send_signal(signal.SIGTERM)
            codes, _ = two.end()
            self.assertEqual(codes, [143, 143])
            step, _ = saved(f"{folder}/0.pt")
            self.assertEqual(saved(f"{folder}/1.pt")[0], step, "all of them left after the same step")
            self.assertGreaterEqual(step, 3)
            os.remove(f"{folder}/0.pt")  # as a worker that is new
            codes, outputs = Workers(folder, 3, step + 4).end()
            self.assertEqual(codes, [0, 0, 0])
            self.assertEqual([output.splitlines()[0] for output in outputs], [f"begins {step}"] * 3)
            Workers(whole, 1, step + 4).end()
            for rank in range(3):
                torch.testing.assert_close(saved(f"{folder}/{rank}.pt")[1], saved(f"{whole}/0.pt")[1], rtol=1e-3, atol=1e-4)

    def test_in_one_process_save_the_step_at_sigterm(self):
        with tempfile.TemporaryDirectory() as folder:
            program = """
import os, signal, sys, torch
from slaq.torch import Checkpoint
model = torch.nn.Linear(2, 2)
state = Checkpoint(sys.argv[1], every=2, model=model)
print(state.restore(), flush=True)
for step in range(1, 9):
    if step == 5:
        os.kill(os.getpid(), signal.SIGTERM)
    state.after(step)
    print(step, os.path.exists(sys.argv[1]), flush=True)
"""
            for begins, code in ((0, 143), (5, 143)):
                ran = subprocess.run([sys.executable, "-B", "-c", program, f"{folder}/state.pt"], env=environment(),
                                     capture_output=True, text=True, timeout=300, check=False)
                self.assertEqual((ran.returncode, ran.stderr), (code, ""))
                self.assertEqual(ran.stdout.split("\n")[0], str(begins))
                self.assertEqual(saved(f"{folder}/state.pt")[0], 5)
            self.assertEqual(os.listdir(folder), ["state.pt"])


if __name__ == "__main__":
    if importlib.util.find_spec("torch") is None:
        print("left out, since it is not installed: PyTorch", file=sys.stderr)
        sys.exit(0)
    unittest.main()
