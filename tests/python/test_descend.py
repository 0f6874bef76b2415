"""The descent loop on functions that know nothing of mechanics."""

import numpy as np
import pliant
import pytest


def rosenbrock(x):
    r = x[1:] - x[:-1] ** 2
    gradient = np.zeros_like(x)
    gradient[:-1] = -2 * (1 - x[:-1]) - 400 * x[:-1] * r
    gradient[1:] += 200 * r
    return ((1 - x[:-1]) ** 2 + 100 * r**2).sum(), gradient


def hessian(x):
    H = np.diag(np.append(2 - 400 * (x[1:] - 3 * x[:-1] ** 2), 0) + np.append(0, np.full(len(x) - 1, 200.0)))
    return H + np.diag(-400 * x[:-1], 1) + np.diag(-400 * x[:-1], -1)


@pytest.mark.parametrize("length", [2, 3, 4, 7])
@pytest.mark.parametrize("method", [None, "newton-tikhonov", "newton-cholesky", "newton-cg", "newton-truncated"])
def test_a_curved_valley_is_followed_to_its_end(length, method):
    start = np.full(length, -0.5)
    end = pliant.descend(rosenbrock, start, hess=hessian, method=method)
    assert end.converged and end.x == pytest.approx(np.ones(length), abs=1e-6)
    assert end.value == pytest.approx(0, abs=1e-12) and end.residual <= 1e-8 and 0 < end.iterations < 100
    assert np.array_equal(start, np.full(length, -0.5))


def test_without_a_hessian_it_learns_one():
    end = pliant.descend(rosenbrock, np.full(5, -0.5), max_iterations=2000)
    assert end.converged and end.x == pytest.approx(np.ones(5), abs=1e-6)


def test_hessians_may_be_sparse_and_change_their_pattern():
    from scipy import sparse

    end = pliant.descend(rosenbrock, np.zeros(8), hess=lambda x: sparse.csr_array(hessian(x)))
    assert end.converged and end.x == pytest.approx(np.ones(8), abs=1e-6)


def test_points_keep_their_shape():
    def fun(x):
        assert x.shape == (2, 2)
        return ((x - [[1, 2], [3, 4]]) ** 2).sum(), 2 * (x - [[1, 2], [3, 4]])

    assert pliant.descend(fun, np.zeros((2, 2))).x == pytest.approx(np.array([[1, 2], [3, 4]]))


def test_what_is_held_stays():
    held = np.array([False, True, False, False])
    end = pliant.descend(rosenbrock, np.full(4, 0.5), hess=hessian, held=held)
    assert end.converged and end.x[1] == 0.5
    _, gradient = rosenbrock(end.x)
    assert np.abs(gradient[~held]).max() < 1e-7 < abs(gradient[1])


def test_infinite_values_are_walls():
    def barrier(x):
        if (x <= 0).any():
            return np.inf, np.zeros_like(x)
        return (x - np.log(x)).sum(), 1 - 1 / x

    end = pliant.descend(barrier, [3.0, 0.01], hess=lambda x: np.diag(1 / x**2))
    assert end.converged and end.x == pytest.approx([1, 1])


def test_each_point_is_told():
    told = []
    end = pliant.descend(rosenbrock, np.zeros(3), hess=hessian, callback=lambda k, x: told.append((k, x.copy())))
    assert [k for k, _ in told] == list(range(end.iterations + 1))
    values = [rosenbrock(x)[0] for _, x in told]
    assert values == sorted(values, reverse=True)


def test_an_end_before_the_minimum_is_said():
    end = pliant.descend(rosenbrock, np.zeros(3), hess=hessian, max_iterations=2)
    assert not end.converged and end.status == "iteration-limit" and end.iterations == 2


def test_errors_of_the_function_come_out():
    def fun(x):
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        pliant.descend(fun, np.zeros(3))


@pytest.mark.parametrize(
    "arguments, complaint",
    [
        ({"method": "newton-raphson"}, "no solver is called 'newton-raphson'"),
        ({"method": "newton-cholesky"}, "needs hess"),
        ({"hess": lambda x: np.eye(2)}, "matrix of 3 x 3"),
        ({"held": [True]}, "1 entries for 3 numbers"),
    ],
)
def test_what_cannot_be_done_is_refused(arguments, complaint):
    with pytest.raises(ValueError, match=complaint):
        pliant.descend(rosenbrock, np.zeros(3), **arguments)


def test_the_problem_of_a_step_can_be_solved_by_hand(hanging):
    """Backward Euler as a minimisation, in five lines of Python, beside the library's own step."""
    sim = hanging(solver={"tolerance": 1e-9}).build()
    from scipy import sparse

    inertia = np.repeat(sim.mass, 3) / sim.dt**2
    target = sim.x.ravel() + sim.dt * sim.v.ravel()

    def energy(x):
        away = x - target
        places = x.reshape(-1, 3)
        return sim.energy(places) + 0.5 * inertia @ away**2, sim.gradient(places).ravel() + inertia * away

    def second(x):
        return sim.hessian(x.reshape(-1, 3)) + sparse.diags_array(inertia)

    end = pliant.descend(energy, sim.x.ravel(), hess=second, held=sim.fixed, tolerance=1e-6)
    assert end.converged
    sim.step(check=True)
    assert end.x.reshape(-1, 3) == pytest.approx(sim.x, abs=1e-8)
