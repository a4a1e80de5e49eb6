"""What the dashboards share: their variables and links, and panels with one look."""
from grafana_foundation_sdk.builders import dashboard as build
from grafana_foundation_sdk.builders import common, prometheus, stat, timeseries
from grafana_foundation_sdk.models import common as look
from grafana_foundation_sdk.models import dashboard as model

SOURCE = model.DataSourceRef(type_val="prometheus", uid="${datasource}")
TAG = "slaq"
# A series of a job is told by these; max merges what two scrapes of one process, or two processes, tell of it.
JOB = "training_namespace, training_job"
CHOSEN = 'training_namespace=~"$namespace",training_job=~"$job"'
NAME = "{{training_namespace}}/{{training_job}}"


def of_jobs(metric, labels=""):
    """The metric of each chosen job, once."""
    return f"max by ({JOB}) ({metric}{{{CHOSEN}{labels}}})"


def of_controllers(metric, labels=""):
    """What each controller tells; several of them divide different resources."""
    return f"max by (namespace) ({metric}{labels})"


def most(query):
    """As many of the largest as people want to see: a cluster may have thousands of jobs."""
    return f"topk($top, {query})"


def new(uid, title, description):
    board = build.Dashboard(title).uid(uid).description(description).tags([TAG]).refresh("10s").time("now-30m", "now")
    board.timezone("browser").tooltip(model.DashboardCursorSync.CROSSHAIR)
    board.link(build.DashboardLink("slaq").type(model.DashboardLinkType.DASHBOARDS).tags([TAG]).include_vars(True)
               .keep_time(True))
    return board.with_variable(build.DatasourceVariable("datasource").label("Data source").type("prometheus"))


def variable(name, label, query, multi):
    made = build.QueryVariable(name).label(label).datasource(SOURCE).query(query).multi(multi).include_all(multi)
    made.refresh(model.VariableRefresh.ON_TIME_RANGE_CHANGED).sort(model.VariableSort.ALPHABETICAL_ASC)
    return made.current(model.VariableOption(text="All", value="$__all")) if multi else made


def namespace(multi):
    return variable("namespace", "Namespace", "label_values(slaq_job_state, training_namespace)", multi)


def job(multi):
    return variable("job", "Job", 'label_values(slaq_job_state{training_namespace=~"$namespace"}, training_job)', multi)


def top():
    option = model.VariableOption(text="20", value="20")
    return build.CustomVariable("top").label("At most").values("10,20,50,100").current(option)


def queries(panel, targets):
    for i, (expression, legend) in enumerate(targets):
        panel.with_target(prometheus.Dataquery().ref_id(chr(ord("A") + i)).expr(expression).legend_format(legend)
                          .datasource(SOURCE))
    return panel


def number(title, targets, width, unit="short", description="", text="auto", thresholds=()):
    """Figures of now. `thresholds`: pairs of a value and the colour from there on, the first from anywhere."""
    panel = stat.Panel().title(title).description(description).datasource(SOURCE).span(width).height(4).unit(unit)
    panel.reduce_options(common.ReduceDataOptions().calcs(["lastNotNull"]))
    panel.text_mode(look.BigValueTextMode(text)).color_mode(look.BigValueColorMode.VALUE if thresholds
                                                            else look.BigValueColorMode.NONE)
    if thresholds:
        steps = [model.Threshold(value=value, color=colour) for value, colour in thresholds]
        panel.thresholds(build.ThresholdsConfig().mode(model.ThresholdsMode.ABSOLUTE).steps(steps))
    return queries(panel, targets)


def curves(title, targets, width=12, unit="short", description="", height=8, stacked=None, steps=False, least=None,
           largest=None, links=False):
    """Curves over time. `stacked`: "normal" or "percent"; `links`: each leads to its job's dashboard."""
    panel = timeseries.Panel().title(title).description(description).datasource(SOURCE).span(width).height(height)
    panel.unit(unit).line_width(1).fill_opacity(60 if stacked else 0).show_points(look.VisibilityMode.NEVER)
    panel.legend(common.VizLegendOptions().display_mode(look.LegendDisplayMode.LIST)
                 .placement(look.LegendPlacement.BOTTOM).show_legend(True))
    panel.tooltip(common.VizTooltipOptions().mode(look.TooltipDisplayMode.MULTI).sort(look.SortOrder.DESCENDING))
    if stacked:
        panel.stacking(common.StackingConfig().mode(look.StackingMode(stacked)).group("A"))
    if steps:
        panel.line_interpolation(look.LineInterpolation.STEP_AFTER)
    if least is not None:
        panel.min(least)
    if largest is not None:
        panel.max(largest)
    if links:
        panel.data_links([build.DashboardLink("Its dashboard").url(
            "/d/slaq-job?var-namespace=${__field.labels.training_namespace}"
            "&var-job=${__field.labels.training_job}&${__url_time_range}")])
    return queries(panel, targets)


def annotation(name, expression, colour):
    return (build.AnnotationQuery().name(name).datasource(SOURCE).enable(True).icon_color(colour).expr(expression))
