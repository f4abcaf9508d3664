"""How something grows: part of the scripts beside it."""
import math


def exponent(points):
    """e of the y = c * x ^ e that is nearest to the points (x, y), by least
    squares of logarithms; None of less than two different x. Seconds below a
    tenth of a millisecond are taken as that."""
    points = [(math.log(x), math.log(max(y, 1e-4))) for x, y in points]
    if len({x for x, _ in points}) < 2:
        return None
    mean_x = sum(x for x, _ in points) / len(points)
    mean_y = sum(y for _, y in points) / len(points)
    return (sum((x - mean_x) * (y - mean_y) for x, y in points)
            / sum((x - mean_x) ** 2 for x, _ in points))
