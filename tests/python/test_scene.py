"""Scenes from keywords, dicts, texts and files, and what is said of those that are wrong."""

import numpy as np
import pliant
import pytest

TOML = """
name = "Bar"
duration = 0.1
[[body]]
shape = { kind = "box", cells = [2, 2, 2] }
"""


def test_keywords_a_dict_and_a_text_make_the_same_scene(tmp_path):
    keys = {"name": "Bar", "duration": 0.1, "body": [{"shape": {"kind": "box", "cells": [2, 2, 2]}}]}
    file = tmp_path / "bar.toml"
    file.write_text(TOML)
    texts = {
        scene.to_toml()
        for scene in (pliant.Scene(**keys), pliant.Scene(keys), pliant.Scene(toml=TOML), pliant.Scene(file))
    }
    assert len(texts) == 1


def test_numbers_of_numpy_and_paths_are_taken(tmp_path):
    scene = pliant.Scene(gravity=np.zeros(3), frame_rate=np.float32(50), duration=np.float64(0.5), seed=np.int64(3))
    scene.add_body(shape={"kind": "box", "cells": np.array([2, 1, 1])})
    assert scene.check() == []
    sim = scene.build()
    assert sim.frame_rate == 50 and sim.frames == 25


def test_what_is_no_value_of_a_scene_is_named_with_its_place():
    with pytest.raises(TypeError, match=r"body\[0\].material is a set"):
        pliant.Scene(body=[{"material": {1}}])


def test_all_complaints_come_at_once_and_name_their_places():
    scene = pliant.Scene(frame_rate=-1)
    scene.add_body(shape={"kind": "bax"}, material={"yung": 1})
    complaints = scene.check()
    assert len(complaints) == 3
    assert any(c.startswith("frame_rate: ") and "greater than 0" in c for c in complaints)
    assert any(c.startswith("body[0].shape.kind: ") and "box" in c for c in complaints)
    assert any(c.startswith("body[0].material.yung: ") and "young" in c for c in complaints)
    with pytest.raises(ValueError) as raised:
        scene.build()
    assert all(complaint in str(raised.value) for complaint in complaints)


def test_a_text_is_complained_of_with_line_and_column():
    (complaint,) = pliant.Scene(toml=TOML + "scale = -2\n").check()
    assert complaint.startswith("scene:6:9: ")


def test_a_text_that_is_no_toml_is_refused():
    with pytest.raises(ValueError, match="scene:1:"):
        pliant.Scene(toml="name = ")


def test_keys_are_set_by_their_path():
    scene = pliant.Scene(toml=TOML, set={"duration": 0.5, "body.0.material.young": 1e6, "time.scheme": "sdirk2"})
    text = scene.to_toml()
    assert "duration = 0.5" in text and "sdirk2" in text and "young = 1000000" in text


def test_two_sources_are_refused():
    with pytest.raises(TypeError, match="give one of them"):
        pliant.Scene({"name": "a"}, toml=TOML)


def test_bodies_are_added_to_those_of_a_file():
    scene = pliant.Scene(toml=TOML)
    added = scene.add_body(name="other", shape={"kind": "box", "cells": [1, 1, 1]}, translate=[5, 0, 0])
    assert len(added.vertices) == 8 and added.vertices[:, 0].min() == 4.5
    assert [body.name for body in scene.build().bodies] == ["body", "other"]


def test_an_obstacle_stops_what_falls():
    scene = pliant.Scene(duration=1)
    scene.add_body(shape={"kind": "box", "cells": [2, 2, 2]})
    scene.add_obstacle(shape={"kind": "plane"}, translate=[0, -1, 0])
    sim = scene.build()
    for _ in range(20):
        report = sim.step(check=True)
    assert sim.x[:, 1].min() > -1 - 1e-6
    assert report.contacts.count > 0 and report.contacts.smallest_gap == pytest.approx(0, abs=1e-6)
