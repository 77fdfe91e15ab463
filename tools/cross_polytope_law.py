#!/usr/bin/env python3
"""Prints the table of src/sketch/cross_polytope_law.cc: the probability that a random rotation puts
two vectors at 0, 1, ..., 180 degrees next to the same vertex of a cross-polytope of 16 dimensions.

The coordinates of the two after a Gaussian projection are 16 pairs (a, b) of correlation
r = cos(angle). The same vertex is next to both when one pair is the largest by absolute value on
both sides, with equal signs: 32 times the integral over a, b > 0 of the density of (a, b) times
R(a, b)^15, where R is the probability that another pair lies in [-a, a] x [-b, b]. R is integrated
over the correlation (Plackett 1954). Needs numpy.
"""

import math

import numpy

DIMENSION = 16
NODES = 160


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
    """For angles below 90 degrees. b is the part along a, and `t` times what is orthogonal."""
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
    b = r * a + s * t  # the coordinate of -y: y is next to the same vertex when it is negative
    density = numpy.exp(-(a * a + t * t) / 2) / (2 * math.pi)
    density = density * a_weights[:, None] * t_weights[None, :]
    density[b >= 0] = 0
    inner = in_rectangle(a + 0 * t, numpy.maximum(-b, 0), math.pi - angle) ** (DIMENSION - 1)
    return float((2 * DIMENSION * density * inner).sum())


def main():
    law = [1.0]
    for degrees in range(1, 180):
        angle = math.radians(degrees)
        if degrees == 90:
            law.append(1 / (2 * DIMENSION))
        else:
            law.append(collision(angle) if degrees < 90 else opposite(angle))
    law.append(0.0)
    for begin in range(0, len(law), 6):
        print("    " + " ".join(f"{p:.9f}," for p in law[begin:begin + 6]))


if __name__ == "__main__":
    main()
