// The stages of `build_model`, in their order. Each appends its errors to *problems; a stage requires that
// the stages before it found none.
#pragma once

#include <string>
#include <vector>

#include "model/build_model.h"

namespace csim {

/// Key path of a geometry, `bodies.ball.geometry.shell`: by name, or by index where the name is the default
/// one.
[[nodiscard]] std::string geometry_path(const Scene& scene, int body, int index);

/// Bodies with their joints, names and prescribed motions; the order parents before children. Wrong: a body
/// that two joints place, a fixed body placed by a joint, a loop of joints.
void build_bodies(const Scene& scene, Model* model, Problems* problems);

/// Trees, weld groups, the columns of q and v (trees by their first body of the scene, within a tree the
/// bodies in the scene's order), damping, armature, springs and actuators, joint pairs that do not collide.
void build_trees(const Scene& scene, Model* model, std::vector<std::string>* notes);

/// Actuators and their gains per velocity coordinate; a part of `build_trees`.
void build_actuators(const Scene& scene, Model* model);

/// The rows on coordinates: limits and dry friction of joints, drives, constraints; a part of `build_trees`.
/// A note for each joint that starts outside its limits.
void build_constraints(const Scene& scene, Model* model, std::vector<std::string>* notes);

/// Phases of the sequence; after the trees.
void build_sequence(const Scene& scene, Model* model);

/// Forces on bodies; after the masses. Wrong: a force on a body that nothing moves.
void build_forces(const Scene& scene, Model* model, Problems* problems);

/// Geometries with loaded shapes (each file once per scale), their pressure fields, and Body::radius. Wrong:
/// files, hulls, margins that a shape does not take, a half space on a moving body.
void build_geometries(const Scene& scene, Model* model, Problems* problems, std::vector<std::string>* notes);

/// Mass properties of bodies. Wrong: solids without volume, a moving body without mass, impossible
/// inertia.
void build_masses(const Scene& scene, Model* model, Problems* problems, std::vector<std::string>* notes);

/// Classes of geometries and the rules between them. Wrong: pairs that meet and whose shapes, kinds or
/// materials give no contact. A note for each stiffness of contact.pairs that meets patches alone, and
/// of the gap that SAP leaves between bodies that slide.
void build_pair_table(const Scene& scene, Model* model, Problems* problems, std::vector<std::string>* notes);

/// Wrong under integrator.type: continuous: a tree rooted in a body whose prescribed velocity jumps, or a
/// rigid constraint or rope to one; a start outside the limits of a joint.
void check_integrator(const Scene& scene, const Model& model, Problems* problems);

/// A note for each key that has no effect with the scene's integrator.
void note_keys_without_effect(const Scene& scene, std::vector<std::string>* notes);

/// q and v of the start. Wrong: a quaternion that is zero.
void build_state(const Scene& scene, const Model& model, State* state, Problems* problems);

/// Moves the start to where the rigid constraints hold, if one of them asks for it (`assemble`). Wrong: a
/// rigid constraint that does not hold, and that a run would not mend at once; one between bodies that cannot
/// move one against the other. A note for each that does not hold to rounding.
void assemble_constraints(const Scene& scene, const Model& model, State* state, Problems* problems,
                          std::vector<std::string>* notes);

/// Wrong: a cartesian drive between two bodies that no coordinate moves against each other.
void check_cartesian_drives(const Scene& scene, const Model& model, const State& state, Problems* problems);

/// A note under integrator.type: continuous of damping for which a run takes more than a million steps.
void note_stiff_damping(const Scene& scene, const Model& model, const State& state,
                        std::vector<std::string>* notes);

/// The mass matrix of every tree must be positive definite at the start.
void check_mass_matrices(const Scene& scene, const Model& model, const State& state, Problems* problems);

}  // namespace csim
