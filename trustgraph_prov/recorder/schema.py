"""Check a JSON value against `record.schema.json`, in the words of whoever wrote the value.

It knows the few keywords that the schema uses (JSON Schema 2020-12) and refuses a schema with any
other, so that the file stays the one place where a line is described.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

__all__ = ["line_faults", "schema"]

_NAMES = {
    "object": "an object",
    "array": "a list",
    "string": "a string",
    "integer": "a whole number",
    "number": "a number",
}
_KNOWN = {
    "$ref", "additionalProperties", "anyOf", "const", "description", "enum", "items", "maxItems",
    "minItems", "minLength", "minimum", "prefixItems", "properties", "required", "type",
}  # fmt: skip


@cache
def schema() -> dict[str, Any]:
    """Read the schema."""
    text = Path(__file__).with_name("record.schema.json").read_text(encoding="utf-8")
    result: dict[str, Any] = json.loads(text)
    return result


def line_faults(value: object) -> list[str]:
    """Find what is wrong with a line.

    Args:
        value: the parsed line.

    Returns:
        One text a fault, with the field it is about; none when the line is fine.

    Example:
        >>> line_faults({"run": "7", "type": "agent", "event": "conclusion", "answer": 3})
        ['answer: expected a string']
        >>> line_faults({"run": "7", "type": "agent", "event": "focus"})
        ["event: 'focus' is not an event of type 'agent'"]
    """
    if not isinstance(value, dict):
        return ["expected an object"]
    missing = [name for name in ("run", "type", "event") if name not in value]
    if missing:
        return [f"{name}: missing" for name in missing]
    events = [_resolve(each) for each in schema()["oneOf"]]
    same = [each for each in events if not _faults(value["event"], each["properties"]["event"], "")]
    if not same:
        names = sorted({each["properties"]["event"]["const"] for each in events})
        return [f"event: expected one of {', '.join(names)}"]
    fit = [each for each in same if not _faults(value["type"], each["properties"]["type"], "")]
    if not fit:
        return [f"event: {value['event']!r} is not an event of type {value['type']!r}"]
    return _faults(value, fit[0], "")


def _resolve(part: Any) -> Mapping[str, Any]:
    if part is True:
        return {}
    unknown = set(part) - _KNOWN
    if unknown:
        raise NotImplementedError(f"record.schema.json uses {sorted(unknown)}")
    if "$ref" in part:
        return _resolve(schema()["$defs"][part["$ref"].removeprefix("#/$defs/")])
    return dict(part)


def _faults(value: Any, part: Any, place: str) -> list[str]:
    rule = _resolve(part)
    where = f"{place}: " if place else ""
    if "anyOf" in rule:
        every = [_faults(value, each, place) for each in rule["anyOf"]]
        return [] if [] in every else every[-1]
    if "const" in rule or "enum" in rule:
        allowed = rule.get("enum", [rule.get("const")])
        return [] if value in allowed else [f"{where}expected one of {', '.join(allowed)}"]
    if "type" in rule and not _is(value, rule["type"]):
        return [f"{where}expected {_NAMES[rule['type']]}"]
    if isinstance(value, str) and len(value) < rule.get("minLength", 0):
        return [f"{where}is empty"]
    if "minimum" in rule and value < rule["minimum"]:
        return [f"{where}expected {rule['minimum']} or more"]
    if isinstance(value, list):
        return _list_faults(value, rule, place)
    if isinstance(value, dict):
        return _object_faults(value, rule, place)
    return []


def _list_faults(value: list[Any], rule: Mapping[str, Any], place: str) -> list[str]:
    if not rule.get("minItems", 0) <= len(value) <= rule.get("maxItems", len(value)):
        return [f"{place}: expected {rule['minItems']} items"]
    parts = rule.get("prefixItems") or [rule.get("items", True)] * len(value)
    return [
        fault
        for index, (each, part) in enumerate(zip(value, parts, strict=True))
        for fault in _faults(each, part, f"{place}[{index}]")
    ]


def _object_faults(value: dict[str, Any], rule: Mapping[str, Any], place: str) -> list[str]:
    stem = f"{place}." if place else ""
    faults = [f"{stem}{name}: missing" for name in rule.get("required", ()) if name not in value]
    properties = rule.get("properties", {})
    for name, each in value.items():
        if name in properties:
            faults += _faults(each, properties[name], stem + name)
        elif rule.get("additionalProperties") is False:
            faults.append(f"{stem}{name}: no such field")
    return faults


def _is(value: object, kind: str) -> bool:
    if isinstance(value, bool):
        return False
    if kind == "integer":
        return isinstance(value, int) or (isinstance(value, float) and value.is_integer())
    types: dict[str, Any] = {"object": dict, "array": list, "string": str, "number": (int, float)}
    return isinstance(value, types[kind])
