"""From an end by SIGTERM until the next process decides."""
from harness.progress import say, wait_until

import time


def measure(controller, patience):
    say("starting the controller again")
    controller.start()
    wait_until("it is ready", controller.is_ready, patience)
    ready = time.time()
    wait_until("it has decided", lambda: controller.epochs, patience)
    first = controller.epochs[0]
    wait_until("three more epochs", lambda: len(controller.epochs) > 3, patience)
    return {"ready": ready - controller.began,
            "leads": controller.leads - controller.began if controller.leads else None,
            "decided": first.at - controller.began, "observe": first.observe, "decide": first.decide,
            "apply": first.apply, "actions": first.actions, "most": controller.memory()["most"]}
