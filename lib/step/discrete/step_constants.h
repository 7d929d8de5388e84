// Every constant of a step of the discrete scheme, with its reason. What a scene may ask for is not here.
#pragma once

namespace csim {

// ---- Contacts offered

/// Margin `auto` beyond the reach of the law, in units of h^2 |g|: the distance a body at rest could fall in
/// a step, twice. Without it contacts of a pile at rest come and go, and it never comes to rest.
inline constexpr double kMarginSteps = 2.0;

// ---- Corrections: how often each may change the problem of a step

/// A hit is transmitted by one body a round. Seen while piles of 40 to 1000 bodies land at steps of 2.5 to
/// 10 ms: none in 8 of 10 steps, 1 or 2 in the others; 5 while 300 fall as a block with gaps of 6 mm. So many
/// bodies in a row are hit in one step only in a chain that touches, whose contacts are offered from the
/// start.
inline constexpr int kMostHitRounds = 100;

/// Of the velocities of Coriolis and gyroscopic forces. One is usual on a contact, more where a body turns by
/// about a radian in the step; beyond that a shorter step is the cure.
inline constexpr int kMostVelocityUpdates = 20;

/// Velocities go on from those of the steps before where the same guess for the last step missed by less than
/// this part of what that step changed: then it is nearer than the velocities of the start.
inline constexpr double kForetoldMiss = 0.5;

/// How well the mean velocity of a tree is found for the impulses at hand, of the tolerance that decides
/// whether these are solved for again: no part of that decision.
inline constexpr double kVelocitySearch = 1e-3;

/// Of the bias of contacts: what is left as it is, of the speed of a contact. The clutter of 40 takes 18
/// iterations a step while it lands with 0.01 (12 without any bias, and three times the energy of overlaps
/// for nothing), 24 with 0.001; all scenes of tests/analytic/contact_bias_test.cpp are the same to a
/// hundredth.
inline constexpr double kBiasTolerance = 0.01;

/// The same of a gap, of the depth at which the contact carries its impulse. Without it the pencil of that
/// test, whose foot is 5e-10 m deep, loses its friction; with 0.01 and 1 the clutter of 40 takes as many
/// iterations while it lands.
inline constexpr double kBiasOfDepth = 0.1;
inline constexpr int kMostBiasUpdates = 1;

/// Where the bias foretold is larger than that, a step is solved to this first, and the bias taken there:
/// velocities are good to it, and the bias is to be no better.
inline constexpr double kLooseForBias = 0.1;

/// Of Lagged's problem that Coulomb's friction starts from: what it leaves, the next method solves better.
/// Any from 0.03 to 1 takes as many iterations in the landing clutter of 40.
inline constexpr double kLooseTolerance = 0.3;

/// Repetitions before Newton's method for Coulomb's friction, which failed at first, is tried again, nearer
/// to the solution. By trial on three scenes: iterations of coulomb in clutter, clutter_boxes (first second),
/// time of wall (0.5 s), steps left above the tolerance of 250: 1: 56, 64, 10.4 s, 0; 2: 43, 53, 8.8 s, 1; 4:
/// 43, 49, 7.9 s, 1; 10: 47, 49, 7.9 s, 4; never: 51, 48, 9.4 s, 13.
inline constexpr int kRepetitionsBetween = 4;

// ---- Refusals: what the end of a step may hold

/// Of the momentum: what the updates of velocity-dependent forces may leave. A step that leaves more, as
/// bodies do that turn by more than a radian while they are hit, is divided; less is told (kInexactStep).
inline constexpr double kUnsettled = 0.01;

/// What rounding may leave of a position, m: a million steps of 1e-16 of some metres. Energies that are not
/// beyond it (unresolved_energy) are nobody's gain: the first motion of a robot without weight is 1e-20 m/s.
inline constexpr double kRoundedAway = 1e-9;

/// Energy that the overlaps of an island may hold for nothing at the end of a step, of what is in motion in
/// it and of what was dissipated (island_gains.h), and kShareOfPart times as much, by length, of a step in
/// parts. By trial on landing clutters of 40 to 1000: overlaps gain 3 to 7 % of the energy throughput. While
/// all islands of a step were divided as often as the worst of them it was 3 to 5 %, and 5 to 8 % with 0.01
/// and 0.05, which `lagged` took a tenth fewer iterations for and `coulomb` as many.
inline constexpr double kGainOfMotion = 0.005, kGainOfDissipated = 0.02;

/// What a part may hold for nothing in any case, of its share by its length of that of a step. Bodies that
/// spin while they are pressed gain in every part, in all of them by the first order of its length alone.
inline constexpr double kShareOfPart = 4.0;

// ---- Lengths

/// The smallest part of a step, of its length, a power of 1/2: the overlap that one part can make, of the
/// second order of its length, is a millionth of that of the whole. A part so short is taken whatever it
/// leads into.
inline constexpr int kMostParts = 1024;
inline constexpr double kSmallestPart = 1.0 / kMostParts;

/// Of parts within parts, each at most half as long as the one before.
inline constexpr int kMostLevels = 10;
static_assert(1 << kMostLevels == kMostParts);

/// In smallest parts: what the solver does not solve is divided down to this only. Still shorter ones hide a
/// solver that cannot converge.
inline constexpr int kSmallestUnsolved = 16;

/// Of integrator.type error_controlled: the largest cut after a refusal, and the least growth that repays
/// what solvers know of equal steps.
inline constexpr double kLargestCut = 0.1, kLeastGrowth = 1.2;

/// Of the longest step that an island wants, the shortest that others make with it: what wants less takes it
/// in parts of its own, two at least. What the longest wants is nothing that the others pay for.
inline constexpr double kLeastOfLongest = 0.5;

/// The solver's tolerance follows integrator.accuracy, so that its error is none of a step's, down to what
/// doubles allow of a momentum.
inline constexpr double kTolerancePerAccuracy = 1e-3, kSmallestTolerance = 1e-10;

// ---- Events: what is told

/// rad, by which the gyroscopic moment turns the angular momentum of a free body in a step. With
/// velocity_terms: start it adds about the square of this, 5 to 10 %, to the energy of the spin; with the
/// mean velocity the momentum turns from its direction by some hundredths of this.
inline constexpr double kFastSpin = 0.3;

/// Friction of contact.model: lagged is nearly gone, or twice what it should be, in a step of this lag.
inline constexpr double kLargeLag = 0.5;

}  // namespace csim
