#!/usr/bin/env python3
"""Prints the table in src/sketch/cross_polytope_law.cc: the probability that a random rotation puts
two vectors at 0, 1, ..., 180 degrees next to the same vertex of a 16-dimensional cross-polytope;
with --probes, the tables in src/sketch/cross_polytopes.cc.

After a Gaussian projection, the coordinates of the two vectors are 16 pairs (a, b) with correlation
r = cos(angle). The same vertex is nearest to both if one pair is the largest by absolute value on
both sides, with equal signs. The probability is 32 times the integral over a, b > 0 of the density
of (a, b) times R(a, b)^15, where R is the probability that another pair lies in [-a, a] x [-b, b].
R is integrated over the correlation (Plackett 1954). Needs numpy.

Probes: a vector is near every vertex on which its projection is at most `reach` less than on the
nearest. One table has the probability that the vertex nearest to x is near y: as above, with b +
reach in place of b in R. The other has the probability that this also holds in the other direction.
In that case, either the vertices are the same, or they are on two axes, on which x has a and at
least a - reach, and y has at least b - reach and b: 960 times the integral of their densities times
R(a, b)^14. Vectors at 90 degrees are independent, so the number of vertices near a vector is 32
times the first probability there.
"""

import math
import sys

import numpy

DIMENSION = 16
NODES = 160
MEAN_VERTICES = (1.25, 1.5, 2, 3)


def legendre(low, high, count=NODES):
    x, w = numpy.polynomial.legendre.leggauss(count)
    return (x + 1) * (high - low) / 2 + low, w * (high - low) / 2


def inside(x):
    """Probability that a standard normal number lies in [-x, x]."""
    return numpy.vectorize(math.erf)(x / math.sqrt(2))


def in_rectangle(a, b, angle):
    nodes, weights = legendre(0, math.pi / 2 - angle, 96)
    total = inside(a) * inside(b)
    for w, weight in zip(nodes, weights):
        for sign in (1, -1):
            power = -(a * a - 2 * sign * a * b * math.sin(w) + b * b) / (2 * math.cos(w) ** 2)
            total = total + sign * weight * 2 * numpy.exp(power) / (2 * math.pi)
    return numpy.clip(total, 0, 1)


def collision(angle):
    """For angles below 90 degrees. b is the part along a, plus `t` times the orthogonal part."""
    r, s = math.cos(angle), math.sin(angle)
    t, t_weights = legendre(-9, 9)
    a, a_weights = legendre(1e-9, 9)
    a, t = a[:, None], t[None, :]
    b = r * a + s * t
    density = numpy.exp(-(a * a + t * t) / 2) / (2 * math.pi)
    density = density * a_weights[:, None] * t_weights[None, :]
    density[b <= 0] = 0
    inner = in_rectangle(a + 0 * t, numpy.maximum(b, 0), angle) ** (DIMENSION - 1)
    return float((2 * DIMENSION * density * inner).sum())


def opposite(angle):
    """For angles above 90 degrees: with -b in place of b, the signs must differ."""
    r, s = math.cos(math.pi - angle), math.sin(math.pi - angle)
    t, t_weights = legendre(-9, 9)
    a, a_weights = legendre(1e-9, 9)
    a, t = a[:, None], t[None, :]
    b = r * a + s * t  # the coordinate of -y: y is nearest to the same vertex if it is negative
    density = numpy.exp(-(a * a + t * t) / 2) / (2 * math.pi)
    density = density * a_weights[:, None] * t_weights[None, :]
    density[b >= 0] = 0
    inner = in_rectangle(a + 0 * t, numpy.maximum(-b, 0), math.pi - angle) ** (DIMENSION - 1)
    return float((2 * DIMENSION * density * inner).sum())


def near(angle, reach):
    """Probability that the vertex nearest to x is near y."""
    r, s = math.cos(angle), math.sin(angle)
    t, t_weights = legendre(-9, 9)
    a, a_weights = legendre(1e-9, 9)
    a, t = a[:, None], t[None, :]
    b = r * a + s * t
    density = numpy.exp(-(a * a + t * t) / 2) / (2 * math.pi)
    density = density * a_weights[:, None] * t_weights[None, :]
    density[b <= -reach / 2] = 0
    others = in_rectangle(a + 0 * t, numpy.maximum(b + reach, 0), min(angle, math.pi - angle))
    return float((2 * DIMENSION * density * others ** (DIMENSION - 1)).sum())


def below(x):
    """Probability that a standard normal number is less than x."""
    return (1 + numpy.vectorize(math.erf)(x / math.sqrt(2))) / 2


def both_on_two_axes(angle, reaches):
    """Probability that the vertices nearest to x and y are on two axes, and that each vertex is
    also near the other vector, for every reach."""
    r, s = math.cos(angle), math.sin(angle)
    a, a_weights = legendre(1e-9, 9)
    x, x_weights = legendre(0, 1)
    low = numpy.maximum(0, r * a - 9 * s)[:, None]
    high = (numpy.minimum(9, (a + 9 * s) / r) if r > 0.1 else 9 + 0 * a)[:, None]
    a = a[:, None]
    b = low + numpy.maximum(high - low, 0) * x[None, :]
    weights = a_weights[:, None] * x_weights[None, :] * numpy.maximum(high - low, 0)
    density = weights * numpy.exp(-(a * a + b * b) / 2) / (2 * math.pi)
    others = in_rectangle(a + 0 * b, b, min(angle, math.pi - angle)) ** (DIMENSION - 2)
    probabilities = []
    for reach in reaches:
        of_y = below((b - r * a) / s) - below((numpy.maximum(b - reach, -b) - r * a) / s)
        of_x = below((a - r * b) / s) - below((numpy.maximum(a - reach, -a) - r * b) / s)
        vertices = 2 * DIMENSION * (2 * DIMENSION - 2)
        probabilities.append(float((vertices * density * of_y * of_x * others).sum()))
    return probabilities


def reach_of(mean):
    low, high = 0.0, 2.0
    while high - low > 1e-9:
        middle = (low + high) / 2
        if 2 * DIMENSION * near(math.pi / 2, middle) < mean:
            low = middle
        else:
            high = middle
    return round(low, 6)


def laws():
    law = [1.0]
    for degrees in range(1, 180):
        angle = math.radians(degrees)
        if degrees == 90:
            law.append(1 / (2 * DIMENSION))
        else:
            law.append(collision(angle) if degrees < 90 else opposite(angle))
    return law + [0.0]


def print_table(law):
    for begin in range(0, len(law), 6):
        print("    " + " ".join(f"{p:.9f}," for p in law[begin:begin + 6]))


def print_probes():
    same = laws()
    reaches = [reach_of(mean) for mean in MEAN_VERTICES]
    angles = [math.radians(degrees) for degrees in range(1, 180)]
    others = [both_on_two_axes(angle, reaches) for angle in angles]
    for i, reach in enumerate(reaches):
        print(f"vertices {MEAN_VERTICES[i]}, reach {reach:.6f}: near one, near both")
        print_table([1.0] + [near(angle, reach) for angle in angles] + [0.0])
        print()
        print_table([1.0] + [same[k + 1] + others[k][i] for k in range(len(angles))] + [0.0])


def main():
    if sys.argv[1:] == ["--probes"]:
        print_probes()
    else:
        print_table(laws())


if __name__ == "__main__":
    main()
