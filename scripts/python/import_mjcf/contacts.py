"""Geometries, and who meets whom with which friction."""
import re

import numpy as np

from .source import WORLD_GEOMETRY, plain, pose


def geometries(source, body):
    """The geometries of a body that csim has."""
    model, found = source.model, []
    geoms = range(model.body_geomadr[body], model.body_geomadr[body] + model.body_geomnum[body])
    shown = shown_of(source, geoms)
    for geom in geoms:
        shape = shape_of(source, geom, body)
        if shape is None:
            continue
        row = {"name": source.names["GEOM"][geom], "pose": pose(model.geom_pos[geom] - source.shift[body], model.geom_quat[geom])} | shape | {"color": color(model, geom, geom in shown or not shown)}
        if touches(source, geom):
            row |= {"material": material(model, geom), "group": group(source, geom)}
            list_what_contacts_lose(source, geom)
        else:
            row["contact"] = "none"
        found.append(row)
    return found


def shown_of(source, geoms):
    """Those of a body that are seen: its meshes that do not touch hide what touches; else MuJoCo's viewer starts with the groups 0 to 2."""
    model = source.model
    shown = {geom for geom in geoms if model.geom_group[geom] < 3}
    if any(not touches(source, geom) and source.enum("mjtGeom", model.geom_type[geom]) == "mesh" for geom in shown):
        shown = {geom for geom in shown if not touches(source, geom)}
    return shown


def shape_of(source, geom, body):
    model = source.model
    kind, size, name = source.enum("mjtGeom", model.geom_type[geom]), model.geom_size[geom], source.names["GEOM"][geom]
    if kind == "sphere":
        return {"shape": "sphere", "radius": float(size[0])}
    if kind in ("capsule", "cylinder"):
        return {"shape": kind, "radius": float(size[0]), "length": 2 * float(size[1])}
    if kind == "box":
        return {"shape": "box", "size": plain(2 * size)}
    if kind == "ellipsoid":
        return {"shape": "ellipsoid", "semi_axes": plain(size)}
    if kind == "plane" and model.body_weldid[body] == 0:
        return {"shape": "half_space"}
    if kind == "mesh":
        return mesh_shape(source, geom)
    source.leave_out(f"geometries of the kind {kind}" + (" on a body that moves" if kind == "plane" else ""), name)
    return None


def mesh_shape(source, geom):
    """A mesh that touches is its hull, as in MuJoCo; one that is only seen is written to the folder of meshes, if there is one."""
    model, mesh, name = source.model, source.model.geom_dataid[geom], source.names["GEOM"][geom]
    points = np.asarray(model.mesh_vert[model.mesh_vertadr[mesh]:][:model.mesh_vertnum[mesh]], dtype=float)
    seen_from_file = not touches(source, geom) and source.mesh_folder is not None
    if seen_from_file:
        faces = outward(points, model.mesh_face[model.mesh_faceadr[mesh]:][:model.mesh_facenum[mesh]])
        if faces is not None:
            return {"shape": "mesh", "file": write_mesh(source, mesh, points, faces)}
        source.leave_out("surfaces with neighbouring triangles of opposite senses, seen as their hulls", name)
    sizes = np.linalg.svd(points - points.mean(axis=0), compute_uv=False)
    if sizes[-1] <= 1e-6 * sizes[0]:  # single precision cannot tell it from a plane
        source.leave_out("meshes without a volume", name)
        return None
    if seen_from_file:
        return {"shape": "convex", "file": write_mesh(source, mesh, points, [])}
    return {"shape": "convex", "points": plain(hull(model, mesh, points))}


def outward(points, faces):
    """The triangles, those of a closed surface turned so that it is not inside out; None where two that share an edge go along it the same way."""
    faces = np.unique(points, axis=0, return_inverse=True)[1].reshape(-1)[faces]
    faces = faces[(faces[:, 0] != faces[:, 1]) & (faces[:, 1] != faces[:, 2]) & (faces[:, 2] != faces[:, 0])]
    sides = np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]])
    forward = sides[:, 0] < sides[:, 1]
    _, edge, count = np.unique(np.sort(sides, axis=1), axis=0, return_inverse=True, return_counts=True)
    balance = np.bincount(edge.reshape(-1), weights=np.where(forward, 1, -1))
    if any((count == 2) & (balance != 0)):
        return None
    corners = np.unique(points, axis=0)[faces]
    volume = np.einsum("ij,ij->", corners[:, 0], np.cross(corners[:, 1], corners[:, 2]))
    return faces[:, ::-1] if volume < 0 and all(count == 2) else faces


def hull(model, mesh, points):
    """The points of a mesh that span its hull, where MuJoCo made one; else all."""
    at = model.mesh_graphadr[mesh]
    if at < 0:
        return np.unique(points, axis=0)
    count = model.mesh_graph[at]
    return points[np.sort(model.mesh_graph[at + 2 + count:][:count])]


def write_mesh(source, mesh, points, faces):
    """An OBJ file in the folder of meshes; its name relative to the folder above. `faces`: of the distinct points in their order."""
    path = source.mesh_folder / f"{source.names['MESH'][mesh]}.obj"
    if path not in source.written:
        source.written.add(path)
        source.mesh_folder.mkdir(exist_ok=True)
        lines = [f"v {x:.9g} {y:.9g} {z:.9g}\n" for x, y, z in np.unique(points, axis=0)]
        path.write_text("".join(lines + [f"f {a + 1} {b + 1} {c + 1}\n" for a, b, c in faces]), encoding="utf-8")
    return f"{source.mesh_folder.name}/{path.name}"


def color(model, geom, shown):
    """That of the material, unless the geometry has its own; without opacity behind what the body shows."""
    rgba = model.geom_rgba[geom]
    if model.geom_matid[geom] >= 0 and np.array_equal(rgba, np.array([0.5, 0.5, 0.5, 1], dtype=rgba.dtype)):
        rgba = model.mat_rgba[model.geom_matid[geom]]
    return [*plain(np.round(np.clip(rgba, 0, 1), 6))[:3], round(float(rgba[3]), 6) if shown else 0.0]


def list_what_contacts_lose(source, geom):
    name = source.names["GEOM"][geom]
    if source.model.geom_condim[geom] > 3:
        source.leave_out("torsional and rolling friction", name)
    for what, key in (("margins of contacts", "geom_margin"), ("adhesion", "geom_adhesion"), ("velocities of surfaces", "geom_surfacevel")):
        if any(source.column(key, geom)):
            source.leave_out(what, name)


# ---- who meets whom


def explicit_pairs(source):
    """{(first geometry, second): index of MuJoCo's pair}."""
    model = source.model
    return {tuple(sorted((int(model.pair_geom1[i]), int(model.pair_geom2[i])))): i for i in range(model.npair)}


def in_a_pair(source, geom):
    return any(geom in pair for pair in explicit_pairs(source))


def touches(source, geom):
    model = source.model
    return not source.disabled("CONTACT") and bool(model.geom_contype[geom] or model.geom_conaffinity[geom] or in_a_pair(source, geom))


def friction(model, geom):
    """What decides the friction of a pair: (number, whether without friction, priority)."""
    return float(model.geom_friction[geom, 0]), bool(model.geom_condim[geom] == 1), int(model.geom_priority[geom])


def friction_together(a, b):
    """That of the higher priority; else the larger one, and none where neither has a tangential direction."""
    if a[2] != b[2]:
        a = b = max(a, b, key=lambda one: one[2])
    return 0.0 if a[1] and b[1] else max(a[0], b[0])


def material(model, geom):
    number, smooth, priority = friction(model, geom)
    return re.sub(r"[^a-z0-9_]", "_", f"friction_{number:.6g}{'_smooth' if smooth else ''}{f'_priority_{priority}' if priority else ''}".replace("-", "minus"))


def group(source, geom):
    """Geometries of the same filter; one of explicit pairs is a group of its own."""
    model = source.model
    if in_a_pair(source, geom):
        return f"pairs_of_{source.names['GEOM'][geom]}"
    return f"contype_{model.geom_contype[geom]}_conaffinity_{model.geom_conaffinity[geom]}".replace("-", "minus_")


def add_contacts(source, scene):
    """Materials with their frictions, and MuJoCo's filters, once the bodies are there."""
    present = {geometry["name"] for body in scene["bodies"] for geometry in body.get("geometry", []) if "group" in geometry}
    geoms = [geom for geom in range(source.model.ngeom) if source.names["GEOM"][geom] in present]
    pairs, exclude = [], []
    add_materials(source, scene, geoms, pairs)
    exclude_groups(source, geoms, exclude)
    apart = exclude_bodies(source, geoms, exclude)
    for pair, i in explicit_pairs(source).items():
        if all(geom in geoms for geom in pair):
            add_pair(source, pair, i, apart, pairs)
    if pairs or exclude:
        scene["contact"] = {key: value for key, value in (("pairs", pairs), ("exclude", exclude)) if value}


def add_materials(source, scene, geoms, pairs):
    materials = {material(source.model, geom): friction(source.model, geom) for geom in geoms}
    scene["materials"] = {name: {"friction": friction_together(own, own)} for name, own in materials.items()}
    rows = list(materials.items())
    for i, (a, first) in enumerate(rows):
        for b, second in rows[i + 1:]:
            pairs.append({"a": f"material:{a}", "b": f"material:{b}", "friction": friction_together(first, second)})


def exclude_groups(source, geoms, exclude):
    model, explicit = source.model, explicit_pairs(source)
    groups = {group(source, geom): geom for geom in geoms}
    names = sorted(groups)
    for i, a in enumerate(names):
        for b in names[i:]:
            first, second = sorted((groups[a], groups[b]))
            match = (model.geom_contype[first] & model.geom_conaffinity[second]) | (model.geom_contype[second] & model.geom_conaffinity[first])
            if not match and (first, second) not in explicit:
                exclude.append({"a": f"group:{a}", "b": f"group:{b}"})


def exclude_bodies(source, geoms, exclude):
    """MuJoCo's excluded bodies, and parent and child, those welded to them included, but for what the world carries. The pairs of bodies."""
    model = source.model
    holders = sorted({int(model.geom_bodyid[geom]) for geom in geoms})
    listed = {tuple(sorted((int(signature) >> 16, int(signature) & 0xFFFF))) for signature in model.exclude_signature}
    above = {body: model.body_weldid[model.body_parentid[model.body_weldid[body]]] for body in holders}
    apart = set()
    for i, a in enumerate(holders):
        for b in holders[i + 1:]:
            weld_a, weld_b = model.body_weldid[a], model.body_weldid[b]
            family = weld_a != 0 and weld_b != 0 and (above[a] == weld_b or above[b] == weld_a) and not source.disabled("FILTERPARENT")
            if family or (a, b) in listed:
                exclude.append({"a": holder_name(source, a), "b": holder_name(source, b)})
            if family or (a, b) in listed or weld_a == weld_b:
                apart.add((a, b))
    return apart


def holder_name(source, body):
    return WORLD_GEOMETRY if body == 0 else source.body_name(body)


def add_pair(source, pair, i, apart, pairs):
    """MuJoCo's pairs count whatever the filters of the bodies say; csim's filters do not know exceptions."""
    model = source.model
    bodies = tuple(sorted(int(model.geom_bodyid[geom]) for geom in pair))
    names = [f"{holder_name(source, model.geom_bodyid[geom])}/{source.names['GEOM'][geom]}" for geom in pair]
    if bodies in apart or bodies[0] == bodies[1]:
        source.leave_out("contact pairs of bodies that are excluded", " with ".join(names))
        return
    pairs.append({"a": names[0], "b": names[1], "friction": 0.0 if model.pair_dim[i] == 1 else float(model.pair_friction[i, 0])})
    if model.pair_dim[i] > 3:
        source.leave_out("torsional and rolling friction", " with ".join(names))
    if model.pair_friction[i, 0] != model.pair_friction[i, 1] and model.pair_dim[i] > 1:
        source.leave_out("friction that is not the same in all directions", " with ".join(names))
    for what, key in (("margins of contacts", "pair_margin"), ("adhesion", "pair_adhesion")):
        if any(source.column(key, i)):
            source.leave_out(what, " with ".join(names))
