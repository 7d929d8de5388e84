// A scene run in the test's own process, step by step.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "model/build_model.h"
#include "scene/read_scene.h"
#include "step/make_stepper.h"

namespace csim::testing_support {

/// Reads a scene text with overrides and steps it. A failed step fails the test; a fault of the scene throws
/// its diagnostics, as there is nothing to step then.
class Simulation {
 public:
  explicit Simulation(const std::string& text, const std::vector<std::string>& overrides = {},
                      int threads = 1) {
    SceneReadResult read = read_scene_text(text, "scene.yaml", overrides);
    if (!read.ok()) throw std::runtime_error("\n" + format_diagnostics(read.diagnostics));
    scene = read.scene;
    Problems problems;
    std::vector<std::string> notes;
    build_model(scene, &model, &state, &problems, &notes);
    if (!problems.empty()) throw std::runtime_error("\n" + format_diagnostics(read.source.locate(problems)));
    stepper = make_stepper(model, scene, threads);
    stepper->start(&state);
    update_frame();
  }

  /// Makes n steps; the frame is that after the last one, contacts included.
  void step(long n = 1) {
    for (long i = 0; i < n; ++i) {
      const StepOutcome& outcome = stepper->step(&state);
      for (const Event& event : outcome.events) events.add(event, outcome.statistics.time);
      ASSERT_TRUE(outcome.ok) << outcome.message;
    }
    update_frame();
  }

  [[nodiscard]] int body(const std::string& name) const {
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
      if (model.bodies[b].name == name) return static_cast<int>(b);
    }
    ADD_FAILURE() << "no body " << name;
    return 0;
  }

  [[nodiscard]] Vector3 position(const std::string& name) const { return frame.position[body(name)]; }
  [[nodiscard]] Vector3 velocity(const std::string& name) const { return frame.velocity[body(name)]; }
  [[nodiscard]] Vector3 angular_velocity(const std::string& name) const {
    return frame.angular_velocity[body(name)];
  }

  /// Sum of the normal forces of the last step, N.
  [[nodiscard]] double normal_force() const {
    double sum = 0.0;
    for (const double f : frame.contacts.normal_force) sum += f;
    return sum;
  }

  Scene scene;
  Model model;
  State state;
  std::unique_ptr<Stepper> stepper;
  Frame frame;
  EventTotals events;  // of the steps of step()

 private:
  void update_frame() { stepper->fill_frame(state, true, &frame); }
};

}  // namespace csim::testing_support
