"""Heaps of bodies that fall into a bin."""
from clutter import draw_quaternions, numbers

SETTINGS = """\
# yaml-language-server: $schema=../../schemas/scene.schema.json
# Written by scripts/scenes/{name}.py: change that, not this.
# {about}
csim: 1
name: {name}
time: {{step: 5.0e-3, end: 6.0}}

materials:
  body: {{friction: 0.5, stiffness: 1.0e+6, hunt_crossley_dissipation: 5.0}}
  wall: {{friction: 0.5, stiffness: rigid}}

output: {{period: 0.02}}

bodies:
"""


def heap_poses(per_side, layers, spacing, low):
    """The texts of a heap's poses, layer by layer: per_side**2 columns `spacing` (m) apart around the z axis, the lowest bodies at z = `low`."""
    for n, quaternion in enumerate(draw_quaternions(per_side**2 * layers)):
        layer, place = divmod(n, per_side**2)
        x, y = ((i - (per_side - 1) / 2) * spacing for i in divmod(place, per_side))
        position = numbers(round(c, 6) for c in (x, y, low + layer * spacing))
        yield f"{{xyz: {position}, quaternion_wxyz: {numbers(quaternion)}}}"


def heap_body(name, pose, shape):
    """A body of one geometry, its shape given as `sphere, radius: 0.03`."""
    return f"  - {{name: {name}, density: 1000, pose: {pose}, geometry: [{{shape: {shape}, material: body}}]}}"
