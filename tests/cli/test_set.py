"""`--set KEY=VALUE`: the same as editing the file, with the same checks."""
from csim_testing import BALL, INVALID, CliTest, compare_bits, main


class Set(CliTest):
    def setUp(self):
        super().setUp()
        self.write("scene.yaml", BALL)

    def same_as_edited(self, edited, *overrides):
        self.write("edited.yaml", edited)
        self.csim("run", "edited.yaml", "-o", "edited.h5", "-q", "--force")
        options = [part for override in overrides for part in ("--set", override)]
        self.csim("run", "scene.yaml", *options, "-o", "set.h5", "-q", "--force")
        self.assertEqual(compare_bits(self.folder / "edited.h5", self.folder / "set.h5", ignore=["scene/source"]), [])

    def test_a_key_that_the_file_has(self):
        self.same_as_edited(BALL.replace("mass: 0.5", "mass: 0.7"), "bodies.ball.mass=0.7")

    def test_a_key_that_the_file_leaves_out(self):
        self.same_as_edited(BALL + "contact: {model: sap}\n", "contact.model=sap")

    def test_a_list_element_by_index_and_nested_names(self):
        self.same_as_edited(BALL.replace("radius: 0.05", "radius: 0.06"), "bodies.1.geometry.shell.radius=0.06")

    def test_names_with_dots(self):
        scene = """\
csim: 1
name: hand
time: {end: 0.02}
bodies: [{name: hand, mass: 1, inertia: [0.1, 0.1, 0.1]}]
actuators: [{name: tool, type: cartesian, body: hand, stiffness: [100, 100, 100, 1, 1, 1], command: {xyz: [0, 0, 0]}}]
sequence: [{name: go, commands: {tool.x: {ramp: {to: 0.1, duration: 0.01}}, tool.yaw: 0.2}}]
"""
        self.write("scene.yaml", scene)
        self.same_as_edited(scene.replace("to: 0.1", "to: 0.3").replace("tool.yaw: 0.2", "tool.yaw: 0.4"),
                            "sequence.go.commands.tool.x.ramp.to=0.3", "sequence.0.commands.tool.yaw=0.4")
        found = self.csim("run", "scene.yaml", "--set", "sequence.go.commands.tool.w.ramp.to=0.3", expect=INVALID).stderr
        self.assertIn("no element 'tool' in sequence.go.commands, expected one that the scene has", found)

    def test_a_whole_list_and_several_at_once_the_later_wins(self):
        self.same_as_edited(BALL.replace("[1, 0, 0]", "[0, 2, 0]") + "gravity: [0, 0, -3]\n", "gravity=[0, 0, -1]",
                            "bodies.ball.velocity.linear=[0, 2, 0]", "gravity=[0, 0, -3]")

    def test_a_number_of_a_list_that_the_file_leaves_out(self):
        """The others are those of the default; a list without a default has to be given as a whole."""
        self.same_as_edited(BALL.replace("{linear: [1, 0, 0]}", "{linear: [1, 0, 0], angular: [0, 3, 0]}") + "gravity: [0, 2, -9.81]\n",
                            "bodies.ball.velocity.angular.1=3", "gravity[1]=2")
        found = self.csim("run", "scene.yaml", "--set", "bodies.ball.color.1=0.5", expect=INVALID).stderr
        self.assertIn("--set bodies.ball.color.1:1:19: error: bodies.ball.color.1: the scene gives no list bodies.ball.color, expected the whole list", found)

    def test_end_is_short_for_time_end(self):
        self.csim("run", "scene.yaml", "--end", "0.1", "-o", "end.h5", "-q")
        self.csim("run", "scene.yaml", "--set", "time.end=0.1", "-o", "set.h5", "-q")
        self.assertEqual(compare_bits(self.folder / "end.h5", self.folder / "set.h5", ignore=["scene"]), [])

    def test_mistakes_point_at_the_argument(self):
        for override in ("bodies.ball.masss=1", "bodies.bal.mass=1", "bodies.7.mass=1", "contact.model=sapp", "bodies.ball.mass=-1", "time.step=[",
                         "solver.tolerance=tight"):
            with self.subTest(override):
                result = self.csim("run", "scene.yaml", "--set", override, expect=INVALID)
                self.assertIn("--set", result.stderr)
                self.assertIn(override.split("=")[0].split(".")[-1], result.stderr)
                self.assertEqual(self.files(), ["scene.yaml"])

    def test_without_a_value_is_refused(self):
        for override in ("contact.model", "=1", ""):
            with self.subTest(override):
                self.csim("run", "scene.yaml", "--set", override, expect=INVALID)

    def test_resolve_takes_it_too(self):
        self.assertIn("model: sap", self.csim("resolve", "scene.yaml", "--set", "contact.model=sap").stdout)


if __name__ == "__main__":
    main()
