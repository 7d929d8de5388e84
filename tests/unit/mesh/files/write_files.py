#!/usr/bin/env python3
"""Writes this folder's meshes with VTK and meshio, so that csim's readers are tested on what other programs write.

    python3 tests/unit/mesh/files/write_files.py        needs the packages vtk and meshio, which the tests do not

Every file holds the same mesh: a box of 0.1 x 0.2 x 0.3 m as a star of twelve tets, with the point array `extent` (0 on the boundary, 1 at
the centre) between arrays that are of no use here, and, but for the files named *_tets_*, the boundary's triangles.
"""
import pathlib
import sys

import meshio
import numpy as np
import vtk
from vtk.util.numpy_support import numpy_to_vtk

FOLDER = pathlib.Path(__file__).resolve().parent
CORNERS = np.array([[x, y, z] for z in (-0.15, 0.15) for y in (-0.1, 0.1) for x in (-0.05, 0.05)])
TRIANGLES = np.array([[0, 2, 3], [0, 3, 1], [4, 5, 7], [4, 7, 6], [0, 1, 5], [0, 5, 4], [2, 6, 7], [2, 7, 3], [0, 4, 6], [0, 6, 2], [1, 3, 7], [1, 7, 5]])
POINTS = np.vstack([CORNERS, [[0.01, 0.02, 0.03]]])
TETS = np.hstack([np.full((12, 1), 8), TRIANGLES])
EXTENT = np.array([0.0] * 8 + [1.0])
TEMPERATURE = np.arange(9) + 0.5


def vtk_grid(with_triangles):
    grid = vtk.vtkUnstructuredGrid()
    points = vtk.vtkPoints()
    points.SetDataTypeToDouble()
    points.SetData(numpy_to_vtk(POINTS, deep=True))
    grid.SetPoints(points)
    cells = [(vtk.VTK_TRIANGLE, t) for t in TRIANGLES] * with_triangles + [(vtk.VTK_TETRA, t) for t in TETS]
    for kind, cell in cells:
        grid.InsertNextCell(kind, len(cell), [int(i) for i in cell])
    for name, values in (("temperature", TEMPERATURE), ("extent", EXTENT), ("two words", POINTS * 2)):
        array = numpy_to_vtk(values, deep=True)
        array.SetName(name)
        grid.GetPointData().AddArray(array)
    grid.GetPointData().SetActiveScalars("temperature")
    grid.GetPointData().SetActiveVectors("two words")
    number = numpy_to_vtk(np.arange(len(cells)), deep=True)
    number.SetName("number")
    grid.GetCellData().AddArray(number)
    return grid


def write_legacy(name, version, binary):
    writer = vtk.vtkUnstructuredGridWriter()
    writer.SetFileVersion(version)
    (writer.SetFileTypeToBinary if binary else writer.SetFileTypeToASCII)()
    writer.SetInputData(vtk_grid(True))
    writer.SetFileName(str(FOLDER / name))
    assert writer.Write()


def write_vtu(name, mode, encode=False, compress=False, header64=False, big_endian=False, with_triangles=True):
    writer = vtk.vtkXMLUnstructuredGridWriter()
    getattr(writer, f"SetDataModeTo{mode}")()
    writer.SetEncodeAppendedData(encode)
    writer.SetCompressorTypeToZLib() if compress else writer.SetCompressorTypeToNone()
    writer.SetHeaderTypeToUInt64() if header64 else writer.SetHeaderTypeToUInt32()
    if big_endian:
        writer.SetByteOrderToBigEndian()
    writer.SetBlockSize(64)                                # several blocks even here
    writer.SetInputData(vtk_grid(with_triangles))
    writer.SetFileName(str(FOLDER / name))
    assert writer.Write()


def write_meshio(name, file_format, **options):
    mesh = meshio.Mesh(POINTS, [("triangle", TRIANGLES), ("tetra", TETS)], point_data={"temperature": TEMPERATURE, "extent": EXTENT})
    if file_format == "gmsh":                              # the entity (dimension, tag) of every node and cell
        mesh.point_data["gmsh:dim_tags"] = np.array([[2, 1]] * 8 + [[3, 1]])
        mesh.cell_data = {name: [np.ones(12, dtype=int), np.ones(12, dtype=int)] for name in ("gmsh:geometrical", "gmsh:physical")}
    meshio.write(FOLDER / name, mesh, file_format=file_format, **options)


def main():
    np.set_printoptions(legacy="1.25")                     # meshio 5.3 writes repr(x) into Gmsh's node data
    for version in (42, 51):
        for binary in (False, True):
            write_legacy(f"vtk_{version}_{'binary' if binary else 'ascii'}.vtk", version, binary)
    write_vtu("ascii.vtu", "Ascii")
    write_vtu("base64.vtu", "Binary")
    write_vtu("base64_zlib.vtu", "Binary", compress=True)
    write_vtu("appended_raw.vtu", "Appended")
    write_vtu("appended_raw_zlib_big_endian.vtu", "Appended", compress=True, big_endian=True)
    write_vtu("appended_base64_tets_64.vtu", "Appended", encode=True, header64=True, with_triangles=False)
    write_vtu("appended_base64_zlib_64.vtu", "Appended", encode=True, compress=True, header64=True)
    write_meshio("meshio_ascii.vtu", "vtu", binary=False)
    write_meshio("meshio_zlib.vtu", "vtu", binary=True)
    write_meshio("meshio_42_binary.vtk", "vtk42", binary=True)
    write_meshio("meshio_51_ascii.vtk", "vtk51", binary=False)
    for binary in (False, True):
        kind = "binary" if binary else "ascii"
        write_meshio(f"gmsh_22_{kind}.msh", "gmsh22", binary=binary)
        write_meshio(f"gmsh_41_{kind}.msh", "gmsh", binary=binary)


if __name__ == "__main__":
    sys.exit(main())
