// Divides faces into smaller ones, for moments more accurate than with one point a face.
#pragma once

#include <vector>

#include "patch/contact_surface.h"

namespace csim {

/// Appends face by face to *divided the pieces of the surface's faces: a face whose corners are farther apart
/// than max_size (m) is cut in half across its longest diagonal, and so are its pieces, but none below
/// 1/64 of the face's own diagonal. Pieces keep the normal, gradients and elements of their face; counts of
/// the query stay with the caller. Reads and fills vertices.
void divide_faces(const ContactSurface& surface, double max_size, ContactSurface* divided);

/// Appends the faces of `surface`, with their vertices, to *all; the counts add up.
void append_faces(const ContactSurface& surface, ContactSurface* all);

/// Removes all faces and counts; memory stays.
void clear_faces(ContactSurface* surface);

}  // namespace csim
