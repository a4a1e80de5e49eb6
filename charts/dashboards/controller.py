"""The controller: does it keep up, and with whom does it talk?"""
import panels


def rate(metric, by):
    return f"sum by ({by}) (rate({metric}[2m]))"


def quantile(metric, by):
    return f"histogram_quantile(0.99, sum by (le, {by}) (rate({metric}_bucket[5m])))"


def dashboard():
    board = panels.new("slaq-controller", "slaq: controller", "Does it keep up, and with whom does it talk?")
    board.with_panel(panels.number("Leads", [("max by (pod) (slaq_leader)", "{{pod}}")], 8,
                                   thresholds=((None, "text"), (1, "green"))))
    board.with_panel(panels.number("Version", [("max by (version, revision) (slaq_build_info)",
                                                "{{version}} ({{revision}})")], 5, text="name"))
    board.with_panel(panels.number("Up for", [("time() - process_start_time_seconds and on (pod) slaq_leader", "{{pod}}")], 6,
                                   "s"))
    board.with_panel(panels.number(
        "Mean decision, of the time between two",
        [('sum(rate(slaq_epoch_duration_seconds_sum[5m])) / sum(rate(slaq_epoch_duration_seconds_count{stage="observe"}[5m]))'
          " / max(slaq_epoch_interval_seconds)", "share")], 5, "percentunit",
        thresholds=((None, "green"), (0.5, "orange"), (1, "red"))))
    board.with_panel(panels.curves("Stages of a decision, 99th percentile",
                                   [(quantile("slaq_epoch_duration_seconds", "stage"), "{{stage}}")], unit="s", least=0,
                                   description="observe: read losses; decide; apply: write to the API server"))
    board.with_panel(panels.curves("Decisions a second", [(rate("slaq_epochs_total", "outcome"), "{{outcome}}")], unit="ops",
                                   least=0))
    board.with_panel(panels.curves("Actions a second", [(rate("slaq_actions_total", "action"), "{{action}}")], unit="ops",
                                   least=0))
    board.with_panel(panels.curves(
        "Actions that failed, a second", [('sum by (outcome) (rate(slaq_actions_total{outcome!="ok"}[2m]))', "{{outcome}}")],
        unit="ops", least=0, description="A conflict is decided again; see the alert SlaqActionsFailing"))
    board.with_panel(panels.curves("Readings of losses a second", [(rate("slaq_loss_requests_total", "outcome"), "{{outcome}}")],
                                   unit="reqps", least=0))
    board.with_panel(panels.curves("Requests to the API server a second",
                                   [(rate("slaq_api_requests_total", "verb, resource"), "{{verb}} {{resource}}")],
                                   unit="reqps", least=0))
    board.with_panel(panels.curves(
        "Requests to the API server that failed, a second",
        [('sum(rate(slaq_api_requests_total{outcome!~"2..|409"}[2m])) or vector(0)', "failed")], unit="reqps", least=0))
    board.with_panel(panels.curves("Requests to the API server, 99th percentile",
                                   [(quantile("slaq_api_request_duration_seconds", "verb, resource"), "{{verb}} {{resource}}")],
                                   unit="s", least=0))
    board.with_panel(panels.curves("Silence of the API server", [("max by (pod, resource) (slaq_watch_silence_seconds)",
                                                                  "{{pod}} {{resource}}")], unit="s", least=0,
                                   description="Beyond 180 s nothing is decided; bookmarks come every minute"))
    board.with_panel(panels.curves("Interruptions of watches in 5 minutes", [("increase(slaq_watch_restarts_total[5m])", "{{pod}}")],
                                   least=0))
    board.with_panel(panels.curves("Memory", [
        ("process_resident_memory_bytes and on (pod) slaq_leader", "{{pod}} resident"),
        ("process_virtual_memory_bytes and on (pod) slaq_leader", "{{pod}} virtual")], unit="bytes", least=0))
    board.with_panel(panels.curves("Processor", [("rate(process_cpu_seconds_total[2m]) and on (pod) slaq_leader", "{{pod}}")],
                                   least=0, description="Cores that it uses"))
    board.with_panel(panels.curves("Descriptors and threads", [
        ("process_open_fds and on (pod) slaq_leader", "{{pod}} descriptors"),
        ("process_max_fds and on (pod) slaq_leader", "{{pod}} the most descriptors"),
        ("process_threads and on (pod) slaq_leader", "{{pod}} threads")], least=0))
    return board
