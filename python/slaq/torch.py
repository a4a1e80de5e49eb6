"""For PyTorch under torchrun with workers that come and go.

torchrun starts the program again at all workers when some join or leave. `GlobalBatch` lets every step take the same rows
whatever the number of workers, so that more workers make faster steps and not other ones. `Checkpoint` goes on from the
step that was reached.

    dist.init_process_group("gloo")
    checkpoint = Checkpoint("run.pt", every=100, model=model, optimizer=optimizer)
    done = checkpoint.restore()
    batch = GlobalBatch(512, largest=64)
    parts = iter(DataLoader(data, batch_sampler=batch.sampler(len(data), step=done)))
    for step in range(done + 1, 1001):
        optimizer.zero_grad()
        total = torch.zeros(())
        for _ in range(batch.parts):
            x, y = next(parts)
            loss = criterion(model(x), y) * batch.weight(len(x))   # model is a DistributedDataParallel
            loss.backward()
            total += loss.detach()
        optimizer.step()
        dist.all_reduce(total)
        report(total / batch.world, step)                          # the mean over the whole batch
        checkpoint.after(step)
"""
import contextlib
import io
import os
import signal
import sys
import uuid

import torch
import torch.distributed as dist

from slaq import reporting

EXIT_CODE = 143  # of a worker that leaves, as if SIGTERM had ended it


def is_distributed():
    return dist.is_available() and dist.is_initialized()


def loaded(file):
    """The state in a file of this training's own. With weights_only PyTorch 1.13 reads no numbers with a fraction, which each
    optimizer has, and later versions refuse what others could write."""
    return torch.load(file, map_location="cpu", weights_only=False)


class GlobalBatch:
    """The batch of `rows` rows that all workers take in a step together, and this worker's parts of it.

    A worker computes at most `largest` rows at once (all, without it); with more it adds up the gradients of `parts` parts,
    which are as many at every worker, since workers meet after each. `slices` are those of this worker within the batch.
    `world` and `rank` are those of the process group unless given.
    """

    def __init__(self, rows, largest=None, world=None, rank=None):
        self.rows = rows
        self.world = world or (dist.get_world_size() if is_distributed() else 1)
        rank = rank if rank is not None else dist.get_rank() if is_distributed() else 0
        most = -(-rows // self.world)
        self.parts = -(-most // (largest or most))
        begin, end = rows * rank // self.world, rows * (rank + 1) // self.world
        bounds = [begin + (end - begin) * part // self.parts for part in range(self.parts + 1)]
        self.slices = [slice(*each) for each in zip(bounds, bounds[1:])]
        if rows // self.world < self.parts:
            raise ValueError(f"a batch of {rows} rows leaves a worker of {self.world} without a row in one of {self.parts} parts")

    def weight(self, rows):
        """What the mean loss of a part of so many rows is multiplied by, so that the gradients are those of the mean over the
        whole batch: DistributedDataParallel takes the mean over workers, whose parts may differ by a row."""
        return rows * self.world / self.rows

    def sampler(self, length, seed=0, step=0):
        """For DataLoader(batch_sampler=...): this worker's parts of each batch from step `step` on, without end. The rows are
        drawn from `length` without repetition within an epoch, in an order that follows from `seed` and the epoch alone."""
        if length < self.rows:
            raise ValueError(f"a batch of {self.rows} rows cannot be drawn from {length}")
        return Sampler(self, length, seed, step)


class Sampler:
    def __init__(self, batch, length, seed, step):
        self._batch, self._length, self._seed, self._step = batch, length, seed, step

    def __iter__(self):
        steps = self._length // self._batch.rows  # of an epoch; the rows that are left over are others in each
        epoch, place = divmod(self._step, steps)
        while True:
            order = torch.randperm(self._length, generator=torch.Generator().manual_seed(self._seed + epoch))
            for first in range(place * self._batch.rows, steps * self._batch.rows, self._batch.rows):
                for part in self._batch.slices:
                    yield order[first + part.start:first + part.stop].tolist()
            epoch, place = epoch + 1, 0


class Checkpoint:
    """The state of a training: that of all in `parts`, which have state_dict() and load_state_dict().

    It is written to `path` every `every` steps, if given, and when any worker gets SIGTERM: all end the step that they are
    in, save it, and exit with 143, and torchrun starts those again that stay. `path` is a file of this process, whose disk
    need not be shared, since the one that got farthest gives its state to the others. Where it is shared, all write the same
    file, each under a name of its own at first, and the last to be ready stays, whole: the state of the same step, and of any
    worker, so that no part may differ among them. Make it in the main thread.

    A state may hold whatever can be pickled; what can't fails at the first save. To read a file is to run what it says: give
    a path that nobody can write to who may not run programs in the place of this one. It takes PyTorch 1.13 or later.
    """

    def __init__(self, path, every=None, **parts):
        self._path, self._every, self._parts = path, every, parts
        self._is_asked_to_leave = False
        self._asked = None  # kept: a thread of the group that frees a tensor while Python ends aborts the process
        signal.signal(signal.SIGTERM, self._leave_after_step)

    def restore(self):
        """Loads the state of the process that got farthest, and returns how many steps that had done; 0 at the start."""
        saved = {"step": 0}
        if os.path.exists(self._path):
            saved = loaded(self._path)
        if is_distributed():
            saved = self._farthest(saved)
        for name, part in self._parts.items():
            if name in saved:
                part.load_state_dict(saved[name])
        return saved["step"]

    def after(self, step):
        """Call it once `step` steps are done, in every process, after each step."""
        if self._is_anybody_asked_to_leave():
            self.save(step)
            reporting.leave_at_once()
            sys.exit(EXIT_CODE)
        if self._every and step % self._every == 0:
            self.save(step)

    def save(self, step):
        partial = f"{self._path}.{uuid.uuid4().hex}"  # process ids are the same in many containers
        try:
            torch.save(self._state(step), partial)
            os.replace(partial, self._path)  # whoever is killed meanwhile leaves the one before
        except BaseException:
            with contextlib.suppress(OSError):
                os.remove(partial)
            raise

    def _state(self, step):
        return {"step": step, **{name: part.state_dict() for name, part in self._parts.items()}}

    def _farthest(self, saved):
        steps = [None] * dist.get_world_size()
        dist.all_gather_object(steps, saved["step"])
        source = steps.index(max(steps))
        content = [None]
        if dist.get_rank() == source:
            file = io.BytesIO()
            torch.save(saved if saved["step"] else self._state(0), file)  # at the start all take the same weights
            content = [file.getvalue()]
        dist.broadcast_object_list(content, src=source)
        return loaded(io.BytesIO(content[0]))

    def _leave_after_step(self, *_):
        self._is_asked_to_leave = True

    def _is_anybody_asked_to_leave(self):
        if not is_distributed():
            return self._is_asked_to_leave
        if self._asked is None:
            device = torch.device("cuda", torch.cuda.current_device()) if dist.get_backend() == "nccl" else "cpu"
            self._asked = torch.zeros(1, dtype=torch.int64, device=device)
        self._asked.fill_(int(self._is_asked_to_leave))
        dist.all_reduce(self._asked, dist.ReduceOp.MAX)
        return bool(self._asked.item())
