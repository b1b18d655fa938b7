"""The Grafana board and the alert rules use only what /metrics has; each alert is documented."""

import inspect
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
import yaml

from chat.accounts import sign_in_limits
from chat.database import errors as database_errors
from chat.generations.models import Generation
from chat.generations.process import load_shedding
from chat.lib import metrics
from tests.support.servers.server import ROOT

BOARD = json.loads((ROOT / "deploy/grafana/runnel.json").read_text())
RULES = yaml.safe_load((ROOT / "deploy/prometheus/alerts.yml").read_text())
DOCS = (ROOT / "docs/monitoring.md").read_text()
ALERTS = [rule for group in RULES["groups"] for rule in group["rules"]]
PANELS = [panel for panel in BOARD["panels"] if panel["type"] != "row"]
#: Labels and series that Prometheus adds.
ADDED_LABELS = {"job", "instance"}
ADDED_SERIES = {"up": set[str]()}
FUNCTIONS = {"rate", "increase", "histogram_quantile", "deriv"}
AGGREGATIONS = {"sum", "topk", "by", "and"}
STATES = {each.value for each in Generation.State} - {"running"}
CAUSES = {
    database_errors.DatabaseUnavailable.cause,
    *(each.cause for each in database_errors.DatabaseUnavailable.__subclasses__()),
}
VALUES = {
    "state": STATES,
    "cause": CAUSES,
    "reason": set(metrics.OVERLOADS),
    "status": {f"{digit}xx" for digit in range(1, 6)},
    "job": {"runnel", "$job"},
    "instance": {"$instance"},
}


def known_series() -> dict[str, set[str]]:
    """Return the labels of each series of /metrics, by name."""
    found: dict[str, set[str]] = dict(ADDED_SERIES)
    for family in metrics.registry.collect():
        if family.name.startswith("process_"):
            found |= {sample.name: set(sample.labels) for sample in family.samples}
    for name, collector in metrics.registry._names_to_collectors.items():
        if labels := getattr(collector, "_labelnames", None):
            found[name] = set(labels)
        elif name.startswith("runnel_"):
            found[name] = {"le"} if name.endswith("_bucket") else set()
    return found


def expressions() -> Iterator[tuple[str, str]]:
    for alert in ALERTS:
        yield alert["alert"], alert["expr"]
    for panel in PANELS:
        for target in panel["targets"]:
            yield panel["title"], target["expr"]


@pytest.mark.parametrize(("where", "expression"), list(expressions()))
def test_each_series_and_label_is_one_of_metrics(where: str, expression: str) -> None:
    known, bare = known_series(), re.sub(r'"[^"]*"', '""', expression)
    assert bare.count("(") == bare.count(")")
    assert bare.count("{") == bare.count("}")
    of_series = re.findall(r"([a-z_]+)\s*(?:\{(.*?)\})?\s*(?:\[[^\]]+\])?", bare)
    labels: set[str] = set()
    names: set[str] = set()
    for name, selector in of_series:
        if name in known:
            names.add(name)
            labels |= known[name]
            chosen = set(re.findall(r"([a-z_]+)\s*=~?", selector))
            assert chosen <= known[name] | ADDED_LABELS, name
    assert names
    grouped = {each for group in re.findall(r"by \(([^)]*)\)", bare) for each in group.split(", ")}
    assert grouped <= labels | ADDED_LABELS
    inside = set(re.findall(r"[a-z_]{2,}", re.sub(r"\{.*?\}|\[.*?\]|by \([^)]*\)", "", bare)))
    assert inside - names <= FUNCTIONS | AGGREGATIONS, "an unknown series or function"


@pytest.mark.parametrize(("where", "expression"), list(expressions()))
def test_each_chosen_value_of_a_label_exists(where: str, expression: str) -> None:
    for label, values in re.findall(r'([a-z]+)=~?"([^"]*)"', expression):
        assert set(values.split("|")) <= VALUES[label]


@pytest.mark.parametrize("alert", ALERTS, ids=lambda alert: alert["alert"])
def test_each_alert_has_a_section_that_says_what_to_do(alert: dict[str, Any]) -> None:
    assert alert["labels"]["severity"] in {"critical", "warning"}
    assert alert["annotations"]["summary"]
    section = re.search(
        rf"^### {alert['alert']}\n\n(.+?)(?=\n#|\Z)", DOCS, re.MULTILINE | re.DOTALL
    )
    assert section, "no section"
    assert len(section[1].split()) > 15


def test_prometheus_loads_the_rules_for_its_job() -> None:
    part = yaml.safe_load((ROOT / "deploy/prometheus/scrape.yml").read_text())
    (job,) = part["scrape_configs"]
    assert {job["job_name"], "$job"} == VALUES["job"]
    assert [path.rpartition("/")[2] for path in part["rule_files"]] == ["alerts.yml"]
    assert job["authorization"]["credentials_file"] in DOCS


def test_every_documented_alert_is_a_rule() -> None:
    named = re.findall(r"^### (\w+)$", DOCS, re.MULTILINE)
    assert named == [alert["alert"] for alert in ALERTS]


def test_summaries_use_labels_that_the_alert_keeps() -> None:
    for alert in ALERTS:
        used = set(re.findall(r"\$labels\.(\w+)", alert["annotations"]["summary"]))
        grouped = re.search(r"by \(([^)]*)\)", alert["expr"])
        kept = set(grouped[1].split(", ")) if grouped else ADDED_LABELS
        assert used <= kept, alert["alert"]


def test_legends_use_labels_that_the_query_keeps() -> None:
    for panel in PANELS:
        for target in panel["targets"]:
            grouped = re.search(r"by \(([^)]*)\)", target["expr"])
            kept = set(grouped[1].split(", ")) if grouped else ADDED_LABELS
            assert set(re.findall(r"\{\{(\w+)\}\}", target["legendFormat"])) <= kept


def test_every_metric_is_on_the_board() -> None:
    shown = " ".join(expression for _title, expression in expressions())
    families = {family.name for family in metrics.registry.collect()}
    ours = {name for name in families if name.startswith("runnel_")}
    assert len(ours) > 10
    assert [name for name in sorted(ours) if name not in shown] == []


def test_panels_do_not_overlap() -> None:
    taken: set[tuple[int, int]] = set()
    for panel in BOARD["panels"]:
        place = panel["gridPos"]
        cells = {
            (place["x"] + x, place["y"] + y) for x in range(place["w"]) for y in range(place["h"])
        }
        assert not cells & taken, panel["title"]
        taken |= cells
    assert len({panel["id"] for panel in BOARD["panels"]}) == len(BOARD["panels"])


def test_what_alerts_watch_begins_at_zero() -> None:
    source = inspect.getsource(load_shedding) + inspect.getsource(sign_in_limits)
    assert [name for name in metrics.OVERLOADS if f'"{name}"' not in source] == []
    assert set(metrics.STATES) == STATES
    assert set(metrics.DATABASE_CAUSES) == CAUSES
    text = metrics.render().decode()
    for line in ('answers_total{state="interrupted"}', 'requests_shed_total{reason="disk"}'):
        assert f"runnel_{line} " in text
