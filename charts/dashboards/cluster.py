"""The cluster: who has which cores, and what they buy."""
import panels
from panels import NAME, most, of_controllers, of_jobs

LEVELS = of_jobs("slaq_job_level")


def share(condition):
    """The share of the cores that go to jobs by how much of their loss is left (the paper's Fig. 8)."""
    cores = of_jobs("slaq_job_cores")
    return f"(sum({cores} and on (training_namespace, training_job) ({LEVELS} {condition})) or vector(0)) / sum({cores})"


def quantile(q):
    return f"scalar(quantile({q}, {LEVELS}))"


def dashboard():
    board = panels.new("slaq-cluster", "slaq: cluster", "Who has which cores, and what they buy")
    board.with_variable(panels.namespace(True)).with_variable(panels.job(True)).with_variable(panels.top())
    board.with_panel(panels.number("Jobs", [("sum by (state) (max by (namespace, state) (slaq_jobs))", "{{state}}")], 9))
    board.with_panel(panels.number(
        "Cores decided on, of the capacity", [(f"{of_controllers('slaq_allocated_cores')} / {of_controllers('slaq_capacity_cores')}", "{{namespace}}")], 4,
        "percentunit"))
    board.with_panel(panels.number("Capacity, cores", [(of_controllers("slaq_capacity_cores"), "{{namespace}}")], 3))
    board.with_panel(panels.number(
        "Leaders", [("sum by (namespace) (slaq_leader)", "{{namespace}}")], 3,
        description="One controller of a namespace decides, the others stand by",
        thresholds=((None, "red"), (1, "green"), (2, "red"))))
    board.with_panel(panels.number(
        "Decides by", [("max by (mode, policy, predictor, resource) (slaq_settings_info)",
                        "{{mode}}, {{policy}}, {{predictor}}, {{resource}}")], 5, text="name",
        description="Observe decides and publishes, and touches no pod"))
    board.with_panel(panels.curves(
        "Cores by job", [(most(of_jobs("slaq_job_cores")), NAME)], 24, stacked="normal", steps=True, height=9, least=0,
        links=True, description="Of the workers that are ready"))
    board.with_panel(panels.curves(
        "Loss that is left: mean of all jobs", [(f"avg({LEVELS})", "mean"), (f"quantile(0.9, {LEVELS})", "90th percentile")],
        unit="percentunit", least=0, largest=1, description="(loss - forecast final loss) / (first loss - forecast final loss)"))
    board.with_panel(panels.curves(
        "Cores by how much loss is left",
        [(share(f">= {quantile(0.75)}"), "the quarter of the jobs with the most left"),
         (share(f">= {quantile(0.5)} < {quantile(0.75)}"), "the next quarter"),
         (share(f"< {quantile(0.5)}"), "the half with the least left")],
        unit="percentunit", stacked="normal", least=0, largest=1, description="The paper's Fig. 8: slaq gives cores to jobs that still learn"))
    board.with_panel(panels.curves(
        "Loss that is left, by job", [(most(LEVELS), NAME)], unit="percentunit", least=0, largest=1, links=True))
    board.with_panel(panels.curves(
        "Gain per core, and the price of a core",
        [(most(of_jobs("slaq_job_gain_per_core")), NAME), (of_controllers("slaq_price_per_core"), "price, {{namespace}}")], links=True,
        description="A job that would gain more per core than the price gets cores; one whose last core gains less gives it "
                    "back, as far as that is worth the pause of a resize"))
    board.with_panel(panels.curves(
        "Cores: capacity, decided on, held",
        [(of_controllers("slaq_capacity_cores"), "capacity, {{namespace}}"),
         (of_controllers("slaq_allocated_cores"), "decided on, {{namespace}}"),
         (f"sum({of_jobs('slaq_job_held_cores')})", "held, by the chosen jobs")], least=0, steps=True,
        description="With drivers; held are those of pods that are about to end, too"))
    board.with_panel(panels.curves(
        "Jobs that wait, and that run", [(f"sum({of_controllers('slaq_jobs', labels)})", name) for labels, name in (
            ('{state="Waiting"}', "waiting"), ('{state="Running"}', "running"))], least=0, steps=True))
    board.with_panel(panels.curves(
        "Cores by namespace, and their limits",
        [(most('max by (training_namespace) (slaq_namespace_cores{training_namespace=~"$namespace"})'), "{{training_namespace}}"),
         (most('max by (training_namespace) (slaq_namespace_limit_cores{training_namespace=~"$namespace"})'),
          "{{training_namespace}} limit")], least=0, steps=True))
    board.with_panel(panels.curves(
        "Jobs whose loss is not read", [(f"count({of_jobs('slaq_job_metrics_available')} == 0) or vector(0)", "jobs")],
        least=0, steps=True, description="They get a fair share; the alert SlaqJobWithoutMetrics names them"))
    return board
