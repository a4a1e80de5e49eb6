"""The chart's dashboards, as the tests read them."""
import json
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
FILES = sorted((ROOT / "charts/slaq/files/dashboards").glob("*.json"))
# Any namespace and job.
VALUES = {"$namespace": ".*", "$job": ".*", "$top": "20", "$__range": "5m"}


def boards():
    return {path.stem: json.loads(path.read_text()) for path in FILES}


def panel_queries(board):
    """Pairs of a panel's title and a query of its own."""
    return [(panel["title"], target["expr"]) for panel in board["panels"] for target in panel["targets"]]


def filled(query):
    for name, value in VALUES.items():
        query = query.replace(name, value)
    return query
