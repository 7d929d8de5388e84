"""An iiwa 7 as URDF: kinematics, masses and inertias as Pang & Tedrake 2021 (section V.B) and their program have them.

At angle 0 every link frame has the axes of the base and stands on the joint's axis, so that the joints differ by their axis and height alone.
"""

# Joint: axis, height of its origin over the joint before (m), limit (rad), speed (rad/s), effort (N m), inertia of the rotor (kg m^2).
JOINTS = [
    ("z", 0.1575, 2.96706, 1.710423, 176, 7.171875e-5), ("y", 0.183, 2.0944, 1.710423, 176, 1.737109e-4), ("z", 0.184, 2.96706, 1.745329, 110, 1.266406e-4),
    ("-y", 0.2155, 2.0944, 2.268928, 110, 7.09765e-5), ("z", 0.184, 2.96706, 2.443461, 110, 5.4375e-5), ("y", 0.2155, 2.0944, 3.141593, 40, 5.4765e-5),
    ("z", 0.0805, 3.05433, 3.141593, 40, 5.4375e-5),
]
GEAR = 160
STIFFNESS = (800, 600, 600, 600, 400, 200, 200)     # N m/rad

# Link: mass (kg), centre of mass (m), moments of inertia about it (kg m^2), both in the maker's link frame, and that frame's axes in ours:
# "-x z y" says that its x axis is our -x, its y axis our z, its z axis our y.
LINKS = [
    (3.863, (-0.013, 0, 0.07), (0.0141, 0.0171, 0.0178), "x y z"),
    (2.7025, (0, -0.0347, 0.113), (0.0171, 0.0163, 0.006), "x y z"),
    (2.7258, (0, 0.0668, 0.0344), (0.0170, 0.0061, 0.0162), "-x z y"),
    (3.175, (0, 0.0296, 0.1265), (0.025, 0.0238, 0.0076), "x y z"),
    (2.73, (0, 0.067, 0.034), (0.017, 0.0061, 0.0162), "x z -y"),
    (1.69, (0.0001, 0.021, 0.076), (0.01, 0.0087, 0.00449), "-x -y z"),
    (1.8, (0, 0.0026, 0.0005), (0.0051, 0.0049, 0.0035), "-x z y"),
    (0.4, (0, 0, 0.0294), (0.0004, 0.0004, 0.0005), "x y z"),
]
# What a link is felt as: cylinders about z, of radius and from z to z, m. The wrist is thinner than the arm.
SHAPES = [
    [(0.09, 0, 0.14)], [(0.068, -0.01, 0.13)], [(0.068, -0.06, 0.13)], [(0.068, -0.05, 0.16)], [(0.062, -0.05, 0.13)], [(0.06, -0.05, 0.13)], [(0.055, -0.05, 0.04)],
    [(0.045, 0, 0.035)],
]


def axis_of(word):
    """Index and sign of "-x"."""
    return "xyz".index(word[-1]), -1.0 if word[0] == "-" else 1.0


def in_our_axes(frame, com, moments):
    """Centre of mass and moments of inertia with the axes of the base."""
    ours, turned = [0.0] * 3, [0.0] * 3
    for word, value, moment in zip(frame.split(), com, moments):
        index, sign = axis_of(word)
        ours[index], turned[index] = sign * value, moment
    return ours, turned


def text(values):
    return " ".join(f"{round(v, 9) + 0.0:.9g}" for v in values)


def inertial(mass, com, moments):
    products = "".join(f' {name}="0"' for name in ("ixy", "ixz", "iyz"))
    return [f'    <inertial><origin xyz="{text(com)}"/><mass value="{mass:g}"/>'
            f'<inertia ixx="{moments[0]:.9g}" iyy="{moments[1]:.9g}" izz="{moments[2]:.9g}"{products}/></inertial>']


def box_moments(mass, size):
    """Of a solid box about its centre, kg m^2."""
    squares = [s * s for s in size]
    return [mass / 12 * (sum(squares) - s) for s in squares]


def shaped(kind, origin, colour):
    """The lines of a collision, and of a visual of the same shape in a colour "r g b a"."""
    lines = [f"    <collision>{origin}<geometry>{kind}</geometry></collision>"]
    material = f'<material name="{colour.replace(" ", "_")}"><color rgba="{colour}"/></material>'
    return lines + [f"    <visual>{origin}<geometry>{kind}</geometry>{material}</visual>"]


def cylinder(radius, low, high, colour):
    return shaped(f'<cylinder radius="{radius:g}" length="{high - low:g}"/>', f'<origin xyz="0 0 {0.5 * (low + high):g}"/>', colour)


def link(name, lines):
    return [f'  <link name="{name}">', *lines, "  </link>"]


def joint(name, kind, parent, child, lines):
    return [f'  <joint name="{name}" type="{kind}">', f'    <parent link="{parent}"/><child link="{child}"/>', *lines, "  </joint>"]


def arm(damping):
    """The lines of link_0 to link_7 and joint_1 to joint_7, each with a viscous damping (N m s/rad)."""
    lines = []
    for n, ((mass, com, moments, frame), shapes) in enumerate(zip(LINKS, SHAPES)):
        ours, turned = in_our_axes(frame, com, moments)
        colour = "1 0.5 0.1 1" if n % 2 else "0.85 0.85 0.85 1"
        lines += link(f"link_{n}", inertial(mass, ours, turned) + [line for shape in shapes for line in cylinder(*shape, colour)])
    for n, (axis, height, limit, speed, effort, rotor) in enumerate(JOINTS, 1):
        index, sign = axis_of(axis)
        vector = [sign if i == index else 0 for i in range(3)]
        lines += joint(f"joint_{n}", "revolute", f"link_{n - 1}", f"link_{n}", [
            f'    <origin xyz="0 0 {height:g}"/><axis xyz="{text(vector)}"/>',
            f'    <limit lower="-{limit:g}" upper="{limit:g}" effort="{effort}" velocity="{speed:g}"/>',
            f'    <drake:rotor_inertia value="{rotor:.9g}"/><drake:gear_ratio value="{GEAR}"/>',
            *([f'    <dynamics damping="{damping:g}"/>'] if damping else [])])
    return lines


def robot(name, comment, tool, damping=0):
    """The file: the arm, and the lines of a tool whose first joint hangs on link_7."""
    head = ['<?xml version="1.0"?>', f"<!-- {comment} -->", f'<robot name="{name}" xmlns:drake="http://drake.mit.edu">']
    return "\n".join([*head, *arm(damping), *tool, "</robot>"]) + "\n"
