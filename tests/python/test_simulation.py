"""Steps, the arrays that show their state, and energies with their derivatives."""

import gc
import threading

import numpy as np
import pliant
import pytest


def test_a_step_is_that_of_the_scene_unless_given(hanging):
    sim = hanging(frame_rate=50, time={"steps_per_frame": 2}).build()
    assert sim.dt == 0.01 and sim.time == 0
    sim.step()
    assert sim.time == pytest.approx(0.01)
    sim.step(0.5)
    assert sim.time == pytest.approx(0.51)


def test_a_step_is_told_of(hanging):
    sim = hanging().build()
    report = sim.step()
    assert report.converged and not report.failed and report.status.startswith("converged") and report.message == ""
    assert report.iterations > 0 and report.residual <= 1e-3 < report.first_residual
    assert report.time == sim.time and report.worst is None
    assert report.energies == sim.energies
    assert report.energies["total"] == pytest.approx(sum(v for k, v in report.energies.items() if k != "total"))
    assert set(report.work) == {"script", "attachment", "contact", "friction", "damping", "scheme", "tear"}


@pytest.mark.parametrize("dt", [0, -1, float("nan"), float("inf")])
def test_a_step_must_have_a_length(hanging, dt):
    with pytest.raises(ValueError, match="dt must be positive"):
        hanging().build().step(dt)


def test_a_step_that_does_not_converge_raises_where_that_is_asked_for(hanging):
    scene = hanging(solver={"max_iterations": 1, "tolerance": 1e-12})
    report = scene.build().step()
    assert report.failed and "bar" in report.worst["body"] and report.message != ""
    with pytest.raises(pliant.NotConverged) as raised:
        scene.build().step(check=True)
    assert raised.value.report.status == report.status and str(raised.value) == report.message


def test_arrays_show_the_present_state_and_cannot_be_written(hanging):
    sim = hanging().build()
    x, v = sim.x, sim.v
    start = x.copy()
    assert x.shape == (63, 3) and x.dtype == np.float64 and x.flags.c_contiguous and not v.any()
    for _ in range(3):
        sim.step()
        assert np.array_equal(x, sim.x) and np.array_equal(v, sim.v)
    assert not np.array_equal(x, start) and v.any()
    for array in (x, v, x[1:]):
        with pytest.raises(ValueError):
            array[0] = 0
        with pytest.raises(ValueError):
            array.flags.writeable = True


def test_arrays_outlive_the_simulation(hanging):
    sim = hanging().build()
    sim.step()
    x, kept = sim.x, sim.x.copy()
    rows = sim.x[5:9]
    del sim
    gc.collect()
    ballast = [np.full((63, 3), 7.0) for _ in range(1000)]
    assert np.array_equal(x, kept) and np.array_equal(rows, kept[5:9])
    del ballast


def test_arrays_of_nobody_are_freed(hanging):
    sim = hanging().build()
    for _ in range(5):
        x = sim.x
        del x
        gc.collect()
        sim.step()
    assert np.isfinite(sim.x).all()


def test_a_simulation_outlives_its_scene():
    def build():
        scene = pliant.Scene()
        scene.add_body(shape={"kind": "box", "cells": [1, 1, 1]})
        return scene.build()

    sim = build()
    gc.collect()
    assert sim.step().converged


def test_what_tears_gets_new_arrays():
    scene = pliant.Scene(gravity=[0, 0, 0], duration=1)
    strip = scene.add_body(shape={"kind": "cloth", "length": 1, "width": 0.2, "cells": [10, 2, 1]},
                           material={"tear": 1.2})
    left, right = strip.vertices[:, 0] < -0.49, strip.vertices[:, 0] > 0.49
    strip.hold(left)
    strip.move(right, velocity=[2, 0, 0])
    sim = scene.build()
    before = sim.x
    work = 0.0
    for _ in range(24):
        work += sim.step().work["tear"]
        assert len(sim.x) == len(sim.v) == len(sim.mass)
    assert len(before) == 33 and np.isfinite(before).all()
    assert work > 0 and len(sim.bodies[0].mesh.edges) < len(strip.mesh.edges)


def test_a_state_is_set_and_gone_on_from(hanging):
    one, other = hanging().build(), hanging().build()
    for _ in range(4):
        one.step()
    other.set_state(x=one.x, v=one.v, time=one.time)
    assert np.array_equal(one.x, other.x) and other.time == one.time
    one.step()
    other.step()
    assert np.array_equal(one.x, other.x)


def test_what_schemes_remember_is_forgotten_with_the_state():
    def made(steps):
        scene = pliant.Scene(time={"scheme": "bdf2"})
        scene.add_body(shape={"kind": "box", "cells": [1, 1, 1]}, start={"stretch": [1.2, 1, 1]})
        sim = scene.build()
        x, v = sim.x.copy(), sim.v.copy()
        for _ in range(steps):
            sim.step()
        sim.set_state(x=x, v=v, time=0.0)
        sim.step()
        return sim.x.copy()

    assert np.array_equal(made(0), made(3))


def test_held_vertices_stay_where_they_are_held(hanging):
    sim = hanging().build()
    start = sim.x.copy()
    sim.set_state(x=start + 1)
    held = sim.fixed.all(axis=1)
    assert held.sum() == 9
    assert np.array_equal(sim.x[held], start[held]) and np.array_equal(sim.x[~held], start[~held] + 1)


@pytest.mark.parametrize("wrong", [np.zeros((62, 3)), np.zeros(189), np.full((63, 3), np.nan)])
def test_a_state_that_does_not_fit_is_refused_and_changes_nothing(hanging, wrong):
    sim = hanging().build()
    before = sim.x.copy()
    with pytest.raises(ValueError, match="x"):
        sim.set_state(x=wrong, v=np.ones((63, 3)))
    assert np.array_equal(sim.x, before) and not sim.v.any()


def slope(errors):
    return np.log2(errors[:-1] / errors[1:])


def stretched(sim):
    generator = np.random.default_rng(1)
    return sim.x * [1.1, 1.1, 0.95] + 0.02 * generator.standard_normal(sim.x.shape)


def everything():
    """Elasticity, gravity, attachments and a penalty, all felt."""
    scene = pliant.Scene(contact={"self_collision": False})
    body = scene.add_body(shape={"kind": "box", "cells": [2, 2, 2]}, material={"young": 1e4})
    body.attach([0, 5], stiffness=300.0)
    scene.add_obstacle(shape={"kind": "plane"}, translate=[0, -0.501, 0], contact="penalty")
    return scene.build()


def test_gradients_and_hessians_are_those_of_the_energy():
    sim = everything()
    x, steps = stretched(sim), 2.0 ** -np.arange(8, 12)
    way = np.random.default_rng(2).standard_normal(x.shape)
    gradient, hessian = sim.gradient(x), sim.hessian(x)
    assert np.abs(gradient).max() > 1 and abs(hessian - hessian.T).max() < 1e-9 * abs(hessian).max()
    values = np.array([sim.energy(x + h * way) - sim.energy(x) - h * (gradient * way).sum() for h in steps])
    assert slope(np.abs(values)) == pytest.approx([2, 2, 2], abs=0.1)
    change = hessian @ way.ravel()
    misses = [sim.gradient(x + h * way).ravel() - gradient.ravel() - h * change for h in steps]
    assert slope(np.array([np.linalg.norm(miss) for miss in misses])) == pytest.approx([2, 2, 2], abs=0.2)


def test_the_energy_is_what_the_ledger_says():
    sim = everything()
    sim.set_state(x=stretched(sim))
    energies = sim.energies
    assert energies["elastic"] > 0 and energies["attachment"] > 0 and energies["contact"] > 0
    assert sim.energy() == pytest.approx(energies["total"] - energies["kinetic"], rel=1e-12)


def test_hessians_are_made_definite_where_that_is_asked_for():
    sim = everything()
    squeezed = sim.x * [0.5, 1, 0.5]
    lowest = {name: np.linalg.eigvalsh(sim.hessian(squeezed, name).toarray())[0] for name in ("none", "clamp")}
    assert lowest["none"] < -1 < -1e-6 < lowest["clamp"]
    with pytest.raises(ValueError, match="none, clamp or abs"):
        sim.hessian(squeezed, "maybe")


def test_a_step_of_backward_euler_is_a_minimum_of_its_energy(hanging):
    sim = hanging(solver={"tolerance": 1e-9}).build()
    start, mass, dt = sim.x.copy(), sim.mass[:, None], sim.dt
    sim.step(check=True)
    inertia = mass * (sim.x - start) / dt**2
    left = (inertia + sim.gradient())[~sim.fixed]
    assert np.abs(left).max() < 1e-6 * np.abs(inertia).max()


def test_simulations_in_two_threads_do_not_mind_each_other(hanging):
    def run(out):
        sim = hanging().build()
        for _ in range(10):
            sim.step()
        out.append(sim.x.copy())

    alone = []
    run(alone)
    together = [[], []]
    threads = [threading.Thread(target=run, args=(out,)) for out in together]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert np.array_equal(together[0][0], alone[0]) and np.array_equal(together[1][0], alone[0])


def test_other_threads_run_during_a_step():
    scene = pliant.Scene()
    scene.add_body(shape={"kind": "box", "cells": [12, 12, 12]}, start={"stretch": [2, 1, 1]})
    sim = scene.build()
    counted, done = [], threading.Event()

    def count():
        while not done.is_set():
            counted.append(len(counted))

    thread = threading.Thread(target=count)
    thread.start()
    before = len(counted)
    sim.step()
    after = len(counted)
    done.set()
    thread.join()
    assert after > before + 100


def test_no_result_depends_on_the_number_of_threads(hanging):
    ends = []
    before = pliant.threads()
    try:
        for count in (1, 2):
            pliant.set_threads(count)
            assert pliant.threads() == count
            sim = hanging().build()
            for _ in range(3):
                sim.step()
            ends.append(sim.x.copy())
    finally:
        pliant.set_threads(before)
    assert np.array_equal(ends[0], ends[1])


def test_the_ground_carries_what_lies_on_it():
    for way in ("constraint", "penalty"):
        scene = pliant.Scene(solver={"tolerance": 1e-8}, frame_rate=50)
        for shift in (0, 3):
            scene.add_body(shape={"kind": "box", "cells": [2, 2, 2]}, translate=[shift, 0.501, 0],
                           material={"young": 1e6}, damping={"mass": 20})
        scene.add_obstacle(shape={"kind": "plane"}, contact=way)
        sim = scene.build()
        assert not sim.contact_forces.any()
        for _ in range(60):
            report = sim.step()
        forces = sim.contact_forces
        for body in sim.bodies:
            weight = 9.81 * sim.mass[body.vertices].sum()
            assert forces[body.vertices].sum(axis=0) == pytest.approx([0, weight, 0], rel=0.02, abs=1)
        assert report.contacts.count > 0 and (np.abs(forces[:, 1]) > 0).sum() == report.contacts.count
