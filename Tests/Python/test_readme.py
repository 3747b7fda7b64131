"""The examples of the package's README run as they stand."""

import re
import subprocess
import sys
import unittest

import bed


class ReadmeTests(unittest.TestCase):
    def test_examples(self):
        text = (bed.PACKAGE / "README.md").read_text()
        examples = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
        self.assertEqual(len(examples), 5)
        expected = ["47.28", "20..-", "accuracy", "at home", "47.28"]
        daemon = bed.Daemon()
        self.addCleanup(daemon.close)
        environment = daemon.environment | {"PYTHONPATH": str(bed.PACKAGE)}
        for example, output in zip(examples, expected, strict=True):
            with self.subTest(example):
                run = subprocess.run(
                    [sys.executable, "-B", "-c", example], env=environment, capture_output=True, text=True, timeout=120
                )
                self.assertEqual((run.returncode, run.stderr), (0, ""))
                self.assertRegex(run.stdout, output)


if __name__ == "__main__":
    unittest.main()
