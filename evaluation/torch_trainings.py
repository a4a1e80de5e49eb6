"""Trainings by PyTorch: small nets, optimizers and schedules of the learning rate, on scikit-learn's data."""
import numpy as np
import torch
from torch import nn

from real_trainings import SEED, load, split

BATCH = 64
STEP_EVERY, STEP_BY = 60, 0.3  # the schedule "steps"
COSINE_LENGTH = 100  # iterations, after which the learning rate rises again


class Rows(nn.Module):
    """An image as a sequence of its rows, for recurrent nets, of which the last output counts."""

    def __init__(self, classes):
        super().__init__()
        self.recurrent = nn.GRU(8, 24, batch_first=True)
        self.classify = nn.Linear(24, classes)

    def forward(self, images):
        outputs, _ = self.recurrent(images.reshape(-1, 8, 8))
        return self.classify(outputs[:, -1])


def net_of(name, features, outputs):
    if name == "perceptron":
        return nn.Sequential(nn.Linear(features, 32), nn.ReLU(), nn.Linear(32, outputs))
    if name == "convolution":
        return nn.Sequential(nn.Unflatten(1, (1, 8, 8)), nn.Conv2d(1, 8, 3), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(),
                             nn.Linear(72, outputs))
    if name == "autoencoder":
        return nn.Sequential(nn.Linear(features, 8), nn.Tanh(), nn.Linear(8, features))
    return Rows(outputs)


def optimizer_of(name, net, rate):
    made = {"sgd": lambda: torch.optim.SGD(net.parameters(), rate),
            "momentum": lambda: torch.optim.SGD(net.parameters(), rate, momentum=0.9),
            "adam": lambda: torch.optim.Adam(net.parameters(), rate),
            "rmsprop": lambda: torch.optim.RMSprop(net.parameters(), rate)}
    return made[name]()


def schedule_of(name, optimizer):
    if name == "steps":
        return torch.optim.lr_scheduler.StepLR(optimizer, STEP_EVERY, STEP_BY)
    if name == "cosine":
        return torch.optim.lr_scheduler.CosineAnnealingWarmRestarts(optimizer, COSINE_LENGTH)
    return torch.optim.lr_scheduler.ConstantLR(optimizer, 1)


def batches(rows, targets, each):
    """The batches of one iteration: all rows in another order, or, with each "step", one batch of them."""
    order = torch.randperm(len(rows))
    for batch in order.split(BATCH)[:1 if each == "step" else None]:
        yield rows[batch], targets[batch]


def task_of(data, net, held_out):
    """What is trained with, what is judged by, the number of outputs, and the loss."""
    regression = data == "diabetes" or net == "autoencoder"
    rows, targets = load(data, regression)
    if net == "autoencoder":
        targets = rows
    parts = split(np.asarray(rows, np.float32), targets, held_out)
    kind = torch.float32 if regression else torch.int64
    tensors = [torch.tensor(part, dtype=torch.float32 if i % 2 == 0 else kind) for i, part in enumerate(parts)]
    if data == "diabetes":
        tensors = [part if i % 2 == 0 else part[:, None] for i, part in enumerate(tensors)]
    return tensors, 1 if regression else len(np.unique(targets)), nn.MSELoss() if regression else nn.CrossEntropyLoss()


def training(data, net, optimizer, rate, schedule="", held_out=False, each="epoch"):
    torch.manual_seed(SEED)
    torch.set_num_threads(1)
    (rows, targets, judged, truth), outputs, loss = task_of(data, net, held_out)
    model = net_of(net, rows.shape[1], outputs)
    descent = optimizer_of(optimizer, model, rate)
    rates = schedule_of(schedule, descent)
    while True:
        with torch.no_grad():
            yield loss(model(judged), truth).item()
        for batch, wanted in batches(rows, targets, each):
            descent.zero_grad()
            loss(model(batch), wanted).backward()
            descent.step()
        rates.step()
