#include "core/nearest_name.h"

#include <gtest/gtest.h>

namespace csim {
namespace {

TEST(EditDistance, CountsInsertionsDeletionsSubstitutionsAndTranspositions) {
  EXPECT_EQ(edit_distance("", ""), 0);
  EXPECT_EQ(edit_distance("", "abc"), 3);
  EXPECT_EQ(edit_distance("abc", ""), 3);
  EXPECT_EQ(edit_distance("friction", "fricton"), 1);
  EXPECT_EQ(edit_distance("friction", "frriction"), 1);
  EXPECT_EQ(edit_distance("friction", "frictian"), 1);
  EXPECT_EQ(edit_distance("friction", "frcition"), 1);  // two without transpositions
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
  EXPECT_EQ(edit_distance("ca", "abc"), 3);  // 2 in the unrestricted distance: no part is edited twice here
}

TEST(EditDistance, IsSymmetricAndObeysTheTriangleInequalityOfItsParts) {
  const std::vector<std::string> words{"mass", "masss", "amss", "density", "denisty", "", "m"};
  for (const std::string& a : words) {
    for (const std::string& b : words) {
      EXPECT_EQ(edit_distance(a, b), edit_distance(b, a)) << a << " " << b;
      EXPECT_EQ(edit_distance(a, b) == 0, a == b);
    }
  }
}

TEST(NearestName, TakesTheNearestThatIsNearEnough) {
  const std::vector<std::string> keys{"mass", "density", "inertia", "name", "com"};
  EXPECT_EQ(nearest_name("masss", keys), "mass");
  EXPECT_EQ(nearest_name("Mass", keys), "mass");
  EXPECT_EQ(nearest_name("denisty", keys), "density");
  EXPECT_EQ(nearest_name("weight", keys), "");
  EXPECT_EQ(nearest_name("cam", keys), "com");
  EXPECT_EQ(nearest_name("cab", keys), "");  // two of three letters: nobody meant com
  EXPECT_EQ(nearest_name("x", {}), "");
}

TEST(NearestName, OfEquallyNearOnesTheFirst) {
  EXPECT_EQ(nearest_name("bal", {"ball", "bald"}), "ball");
  EXPECT_EQ(nearest_name("bal", {"bald", "ball"}), "bald");
}

TEST(DidYouMean, FallsBackToNamesThatOverlap) {
  EXPECT_EQ(did_you_mean("timestep", {"name", "time"}), " (did you mean 'time'?)");
  EXPECT_EQ(did_you_mean("mesh_resolution_hint", {"margin", "resolution"}), " (did you mean 'resolution'?)");
  EXPECT_EQ(did_you_mean("stick", {"a", "b"}), "");
  EXPECT_EQ(did_you_mean("com", {"compliance"}), "");  // three letters are in too many words
}

TEST(DidYouMean, WritesThePrefixBeforeTheName) {
  EXPECT_EQ(did_you_mean("bow.obj", {"bowl.obj"}, "meshes/"), " (did you mean 'meshes/bowl.obj'?)");
  EXPECT_EQ(did_you_mean("cup.obj", {"bowl.vtk"}, "meshes/"), "");
}

}  // namespace
}  // namespace csim
