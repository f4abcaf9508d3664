#!/usr/bin/env python3
"""Write a training graph of a residual convolutional net, for scale.

Bottleneck blocks in four stages; each stage has half the bytes of activations
and four times the weights of the one before. About 23 ops a block: convolution,
normalisation and rectifier three times, the sum, and their gradients. The form
is that of public planner graphs: nodes [cost, bytes], edges [from, to].

usage: convnet-graph.py OPS OUT.json
"""
import json
import sys

OPS_PER_BLOCK = 23
STAGES = 4
UNIT = 8 << 20  # bytes of the narrow activations of the first stage


class Graph:
    def __init__(self):
        self.nodes, self.edges = [], []

    def op(self, cost, size, *ins):
        self.nodes.append([int(cost), int(size)])
        self.edges.extend([u, len(self.nodes) - 1] for u in dict.fromkeys(ins))
        return len(self.nodes) - 1


def layer(g, x, unit, cost):
    """Convolution and normalisation; what the backward needs of them."""
    c = g.op(cost, unit, x)
    return g.op(max(1, unit >> 19), unit, c), (x, c)


def layer_back(g, d, saved, unit, in_unit, cost, weights):
    x, c = saved
    dn = g.op(max(1, unit >> 18), unit, d, c)
    g.op(cost, weights, dn, x)
    return g.op(cost, in_unit, dn)


def forward(g, x, unit, in_unit, shrinks):
    """Narrow, spatial, wide, and the way around them."""
    point = max(1, unit >> 16)
    relu = max(1, unit >> 20)
    n1, s1 = layer(g, x, unit, point)
    r1 = g.op(relu, unit, n1)
    n2, s2 = layer(g, r1, unit, 2 * point)
    r2 = g.op(relu, unit, n2)
    n3, s3 = layer(g, r2, 4 * unit, point)
    around, s4 = layer(g, x, 4 * unit, 2 * point) if shrinks else (x, None)
    y = g.op(4 * relu, 4 * unit, g.op(4 * relu, 4 * unit, n3, around))
    return y, (s1, r1, s2, r2, s3, s4, y, unit, in_unit, point, relu)


def backward(g, d, block, weights):
    s1, r1, s2, r2, s3, s4, y, unit, in_unit, point, relu = block
    dy = g.op(4 * relu, 4 * unit, d, y)
    d3 = layer_back(g, dy, s3, 4 * unit, unit, point, 4 * weights)
    d2 = layer_back(g, g.op(relu, unit, d3, r2), s2, unit, unit, 2 * point,
                    9 * weights)
    d1 = layer_back(g, g.op(relu, unit, d2, r1), s1, unit, in_unit, point,
                    4 * weights)
    around = dy
    if s4:
        around = layer_back(g, dy, s4, 4 * unit, in_unit, 2 * point,
                            8 * weights)
    return g.op(4 * relu, in_unit, d1, around)


def convnet(target):
    g = Graph()
    blocks = max(STAGES, (target - 3) // OPS_PER_BLOCK)
    x, kept, in_unit = g.op(200, 4 * UNIT), [], 4 * UNIT
    for i in range(blocks):
        stage = i * STAGES // blocks
        shrinks = i and stage != (i - 1) * STAGES // blocks
        unit = UNIT >> stage
        x, block = forward(g, x, unit, in_unit, shrinks)
        kept.append((block, (1 << 14) << 2 * stage))
        in_unit = 4 * unit
    d = g.op(50, in_unit, g.op(20, 4096, x))
    for block, weights in reversed(kept):
        d = backward(g, d, block, weights)
    return {"name": "convnet%d" % len(g.nodes), "nodes": g.nodes,
            "edges": g.edges}


if __name__ == "__main__":
    if len(sys.argv) != 3 or not sys.argv[1].isdigit():
        sys.exit(__doc__)
    graph = convnet(int(sys.argv[1]))
    with open(sys.argv[2], "w") as out:
        json.dump(graph, out)
    print(len(graph["nodes"]), "ops")
