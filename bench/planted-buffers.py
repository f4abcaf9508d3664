#!/usr/bin/env python3
"""Buffers whose smallest arena is known: a rectangle, cut into pieces.

The rectangle is all of the time times the capacity; every tick is full, so the
load is the capacity and the pieces, put back, need no more. `guillotine` cuts
pieces in two, again and again; `pinwheel` cuts them into five around a middle
one, which no straight cut from border to border can do. Which piece is cut is
drawn, by size. With `-holes` one piece in a hundred is left out: the smallest
arena lies between the load and the capacity, which mostly are still the same.
Equal arguments give equal files.

usage: planted-buffers.py COUNT guillotine|pinwheel[-holes] SEED OUT.csv
"""
import random
import sys

CAPACITY = 1 << 30


def between(draw, lower, upper):
    """A cut in the middle three fifths."""
    fifth = (upper - lower) // 5
    return draw.randint(lower + max(1, fifth), upper - max(1, fifth))


def halve(draw, piece):
    l, u, b, t = piece
    if draw.random() < 0.5 and u - l > 1 or t - b < 2:
        at = between(draw, l, u)
        return [(l, at, b, t), (at, u, b, t)]
    at = between(draw, b, t)
    return [(l, u, b, at), (l, u, at, t)]


def turn(draw, piece):
    l, u, b, t = piece
    x1, x2 = sorted(draw.sample(range(l + 1, u), 2))
    y1, y2 = sorted(draw.sample(range(b + 1, t), 2))
    return [(l, x2, b, y1), (x2, u, b, y2), (x1, u, y2, t), (l, x1, y1, t),
            (x1, x2, y1, y2)]


def can_be_cut(piece, least):
    l, u, b, t = piece
    return u - l >= least and t - b >= least


def cut(draw, count, kind):
    """Draws a piece by picking three and taking the largest of them."""
    pieces = [(0, 64 * count, 0, CAPACITY)]
    act, least = (halve, 2) if kind.startswith("guillotine") else (turn, 4)
    done = []
    while len(pieces) + len(done) < count and pieces:
        picks = [draw.randrange(len(pieces)) for _ in range(3)]
        at = max(picks, key=lambda i: (pieces[i][1] - pieces[i][0])
                 * (pieces[i][3] - pieces[i][2]))
        pieces[at], pieces[-1] = pieces[-1], pieces[at]
        piece = pieces.pop()
        if can_be_cut(piece, least):
            pieces += act(draw, piece)
        else:
            done.append(piece)
    return pieces + done


KINDS = ("guillotine", "pinwheel", "guillotine-holes", "pinwheel-holes")


def main():
    if len(sys.argv) != 5 or sys.argv[2] not in KINDS:
        sys.exit(__doc__.strip())
    count, kind, seed, out = sys.argv[1:]
    draw = random.Random("%s %s %s" % (count, kind, seed))
    pieces = cut(draw, int(count), kind)
    draw.shuffle(pieces)
    if kind.endswith("-holes"):
        pieces = pieces[len(pieces) // 100:]
    with open(out, "w", encoding="utf-8") as file:
        file.write("id,lower,upper,size\n")
        for i, (l, u, b, t) in enumerate(pieces):
            file.write("%d,%d,%d,%d\n" % (i, l, u, t - b))
    print("%d buffers, capacity %d" % (len(pieces), CAPACITY))


main()
