"""A program for torchrun that knows nothing of slaq. Its argument is the file of its snapshot, which is empty at first. Rank 0
prints the loss."""
import os
import sys

import torch
import torch.distributed as dist

SNAPSHOT = sys.argv[1]
dist.init_process_group("gloo")
torch.set_num_threads(1)
torch.manual_seed(0)
rank, world = dist.get_rank(), dist.get_world_size()
network = torch.nn.Linear(32, 1)
model = torch.nn.parallel.DistributedDataParallel(network)
optimizer = torch.optim.SGD(model.parameters(), 0.005)
first = 0
if os.path.getsize(SNAPSHOT):
    snapshot = torch.load(SNAPSHOT)
    network.load_state_dict(snapshot["network"])
    first = snapshot["step"]
truth = torch.ones(32, 1)
for step in range(first, 400):
    x = torch.randn(1000 // world, 32, generator=torch.Generator().manual_seed(step * 8 + rank))
    optimizer.zero_grad()
    loss = torch.nn.functional.mse_loss(model(x), x @ truth)
    loss.backward()
    optimizer.step()
    if rank == 0:
        print(f"step {step} world {world} loss {loss.item():.5f}", flush=True)
        torch.save({"network": network.state_dict(), "step": step}, f"{SNAPSHOT}.partial")
        os.replace(f"{SNAPSHOT}.partial", SNAPSHOT)
del model
dist.destroy_process_group()
