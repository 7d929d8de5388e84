"""Ways of an iiwa's tool in the x-z plane, turning about z, as commands of its joints."""
import math

KNOTS = 10                               # inverse kinematics in each segment of the way
SAMPLE = 0.1                             # s between values of the command
TOOL = 0.15                              # m, from the last joint to the point of the tool


def arm_angles(x, z, yaw):
    """Angles of the joints 2, 4, 6, 7 with the tool's point at (x, 0, z), pointing down: two links of 0.3995 m between the shoulder and the wrist."""
    link, height = 0.3995, z + TOOL + 0.0805 - 0.3405
    q4 = -(math.pi - 2 * math.asin(math.hypot(x, height) / (2 * link)))
    q2 = math.atan2(x, height) + 0.5 * q4
    return q2, q4, math.pi - q2 + q4, -yaw


def clamped_spline(values):
    """The cubic spline through `values` at 0, 1/n, .., 1 with slope 0 at both ends, as a function of [0, 1]."""
    count = len(values) - 1
    # Slopes m, per knot: m[i - 1] + 4 m[i] + m[i + 1] = 3 (y[i + 1] - y[i - 1]).
    pivots, slopes = [1.0], [0.0]
    for i in range(1, count):
        ratio = 0.0 if i == 1 else 1 / pivots[-1]
        pivots.append(4 - ratio)
        slopes.append(3 * (values[i + 1] - values[i - 1]) - ratio * slopes[-1])
    slopes.append(0.0)
    for i in range(count - 1, 0, -1):
        slopes[i] = (slopes[i] - slopes[i + 1]) / pivots[i]

    def at(part):
        i = min(int(part * count), count - 1)
        s = part * count - i
        return ((1 + 2 * s) * (1 - s) ** 2 * values[i] + s * (1 - s) ** 2 * slopes[i] + s * s * (3 - 2 * s) * values[i + 1] - s * s * (1 - s) * slopes[i + 1])

    return at


def arm_command(way):
    """Of way points (s at its end; x and z of the tool, m; yaw, rad; ..): times, and for each of the joints 2, 4, 6, 7 its values: on each segment a spline through the knots, at rest at both ends."""
    times, values = [0.0], [arm_angles(*way[0][1:4])]
    for before, after in zip(way, way[1:]):
        knots = [arm_angles(*(a + k / (KNOTS - 1) * (b - a) for a, b in zip(before[1:4], after[1:4]))) for k in range(KNOTS)]
        spline = [clamped_spline(column) for column in zip(*knots)]
        count = round((after[0] - before[0]) / SAMPLE)
        times += [before[0] + SAMPLE * (k + 1) for k in range(count)]
        values += [tuple(f((k + 1) / count) for f in spline) for k in range(count)]
    return times, list(zip(*values))
