"""Runs each query of the dashboards on a Prometheus, and says which fail or bring no data.

usage: run_queries.py URL [--alerts]

--alerts prints the names of the alerts that are pending or firing instead."""
import json
import sys
import urllib.error
import urllib.parse
import urllib.request

from dashboards import boards, filled, panel_queries


def get(url):
    with urllib.request.urlopen(url) as response:
        return json.load(response)["data"]


def answer(url, query):
    try:
        return get(f"{url}/api/v1/query?{urllib.parse.urlencode({'query': query})}")["result"]
    except urllib.error.HTTPError as error:
        return f"{error.code}: {error.read().decode()}"


def main(url, *flags):
    if flags == ("--alerts",):
        for name in sorted({alert["labels"]["alertname"] for alert in get(f"{url}/api/v1/alerts")["alerts"]}):
            print(name)
        return
    bad = 0
    for name, board in boards().items():
        for title, query in panel_queries(board):
            result = answer(url, filled(query))
            if isinstance(result, str) or not result:
                bad += 1
                print(f"{name}: {title}: {filled(query)}: {result or 'no data'}")
    sys.exit(bad > 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
