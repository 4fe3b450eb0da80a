"""The order of steps: by number, else each after what it was derived from, each once."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from trustgraph_prov.explain.order import in_order, natural

STEPS = st.sampled_from([f"s{number}" for number in range(8)])
GRAPHS = st.dictionaries(STEPS, st.lists(STEPS, max_size=4), max_size=8)


def test_diamond_comes_once_each() -> None:
    parents = {"join": ["left", "right"], "left": ["top"], "right": ["top"], "top": ["question"]}
    assert in_order(parents, {}) == ["top", "left", "right", "join"]


def test_numbers_win_over_iris_and_over_links() -> None:
    numbers = {"a": 3, "b": 1, "c": 2}
    assert in_order({"a": [], "b": ["a"], "c": []}, numbers) == ["b", "c", "a"]


def test_parallel_steps_with_one_number_keep_their_links() -> None:
    assert in_order({"a": ["b"], "b": []}, {"a": 1, "b": 1}) == ["b", "a"]


def test_steps_without_a_number_stand_where_their_links_put_them() -> None:
    parents = {"plan": ["q"], "i1": ["plan"], "i2": ["i1"], "check": ["i1"], "end": ["i2", "check"]}
    assert in_order(parents, {"i1": 1, "i2": 2}) == ["plan", "i1", "i2", "check", "end"]


def test_step_10_comes_after_step_9() -> None:
    parents = {f"step/{number}": ["plan"] for number in range(12)} | {"plan": []}
    assert in_order(parents, {}) == ["plan", *(f"step/{number}" for number in range(12))]


def test_answers_come_as_late_as_they_can() -> None:
    parents = {"answer": ["a"], "a": [], "z": ["a"], "after": ["answer"]}
    assert in_order(parents, {}, {"answer"}) == ["a", "z", "answer", "after"]


def test_circle_is_cut_before_what_hangs_on_it() -> None:
    parents = {"a-final": ["c"], "b": ["d"], "c": ["b"], "d": ["c"], "self": ["self"]}
    assert in_order(parents, {}) == ["self", "b", "c", "a-final", "d"]


@given(GRAPHS, st.dictionaries(STEPS, st.integers(0, 5)))
def test_each_step_comes_exactly_once_whatever_the_graph(
    parents: dict[str, list[str]], numbers: dict[str, int]
) -> None:
    known = {step: number for step, number in numbers.items() if step in parents}
    assert sorted(in_order(parents, known)) == sorted(parents)


@given(st.permutations([f"s{number}" for number in range(8)]), st.data())
def test_a_step_follows_all_it_was_derived_from(steps: list[str], data: st.DataObject) -> None:
    parents = {
        step: data.draw(st.lists(st.sampled_from(steps[:place]))) if place else []
        for place, step in enumerate(steps)
    }
    places = {step: place for place, step in enumerate(in_order(parents, {}))}
    assert all(places[p] < places[step] for step, every in parents.items() for p in every)


def test_natural_order_of_any_digits() -> None:
    assert natural("a" + "9" * 5000) > natural("a1")
    assert sorted(["x٣", "x1"], key=natural) == ["x1", "x٣"]
