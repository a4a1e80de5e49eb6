"""One job: what it learned, what it has, and why."""
import panels
from panels import of_controllers, of_jobs

LOSS = of_jobs("slaq_job_loss")
EXPECTED = of_jobs("slaq_job_forecast_loss")
# The error ratio is a share of the range of the losses that were seen.
ERROR = (f"{of_jobs('slaq_job_forecast_error_ratio')} * (max_over_time({LOSS}[$__range:1m]) - "
         f"min_over_time({LOSS}[$__range:1m]))")
# The price that the controller of the job has decided by.
PRICE = f"max({of_controllers('slaq_price_per_core')} and on (namespace) max by (namespace) (slaq_job_state{{{panels.CHOSEN}}}))"


def dashboard():
    board = panels.new("slaq-job", "slaq: job", "What one job learned, what it has, and why")
    board.with_variable(panels.namespace(False)).with_variable(panels.job(False))
    resized = f"changes({of_jobs('slaq_job_desired_workers')}[30s:5s]) > 0"
    board.annotation(panels.annotation("Resizes", resized, "orange"))
    board.with_panel(panels.number("State", [("max by (state) (slaq_job_state{" + panels.CHOSEN + "})", "{{state}}")], 4,
                                   text="name"))
    board.with_panel(panels.number("Loss that is left", [(of_jobs("slaq_job_level"), "left")], 5, "percentunit"))
    board.with_panel(panels.number("Time left", [(of_jobs("slaq_job_remaining_seconds"), "left")], 5, "s",
                                   "Until nearly all of the forecast reduction is done"))
    board.with_panel(panels.number("Workers, ready and decided", [
        (of_jobs("slaq_job_workers"), "ready"), (of_jobs("slaq_job_desired_workers"), "decided")], 5))
    board.with_panel(panels.number(
        "Is its loss read?", [(of_jobs("slaq_job_metrics_available"), "read")], 5, "bool_yes_no",
        thresholds=((None, "red"), (1, "green"))))
    board.with_panel(panels.curves(
        "Loss, and its forecast",
        [(LOSS, "as the trainer exports it"), (EXPECTED, "expected at the next decision"),
         (of_jobs("slaq_job_forecast_final_loss"), "in the end"), (f"{EXPECTED} + {ERROR}", "expected, at most"),
         (f"{EXPECTED} - {ERROR}", "expected, at least")], 24, height=10,
        description="The band is as wide as the forecasts of its newest losses were wrong"))
    board.with_panel(panels.curves(
        "Workers: ready and decided", [(of_jobs("slaq_job_workers"), "ready"),
                                       (of_jobs("slaq_job_desired_workers"), "decided")], steps=True, least=0))
    board.with_panel(panels.curves(
        "Time of an iteration", [(f"1 / (deriv({of_jobs('slaq_job_iterations')}[1m:5s]) > 0)", "iteration")], unit="s", least=0,
        description="Over the last minute"))
    board.with_panel(panels.curves(
        "Gain per core, and the price of a core", [(of_jobs("slaq_job_gain_per_core"), "gain of the next worker"),
                                                   (PRICE, "price")],
        description="Weighted normalized loss per core-second"))
    board.with_panel(panels.curves(
        "Reduction that is expected by the next decision", [(of_jobs("slaq_job_predicted_reduction"), "reduction")], least=0))
    board.with_panel(panels.curves(
        "Cores: ready, held and decided", [(of_jobs("slaq_job_cores"), "of ready workers"),
                                           (of_jobs("slaq_job_held_cores"), "held, with the driver"),
                                           (of_jobs("slaq_job_desired_cores"), "decided, with the driver")],
        steps=True, least=0))
    board.with_panel(panels.curves("Cores of each worker", [(of_jobs("slaq_job_worker_cores"), "decided")], steps=True, least=0,
                                   description="A job that scales by CPU changes them in place"))
    board.with_panel(panels.curves("Time left", [(of_jobs("slaq_job_remaining_seconds"), "left")], unit="s", least=0))
    board.with_panel(panels.curves("Forecast error", [(of_jobs("slaq_job_forecast_error_ratio"), "error")], unit="percentunit",
                                   least=0, description="Of the newest losses, as a share of the range seen"))
    return board
