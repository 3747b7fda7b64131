"""What a script waits for before its first position: the import must not load modules that cost more than the package itself."""

import subprocess
import sys
import unittest

import bed

# Each of these takes milliseconds to import.
HEAVY = {"asyncio", "dataclasses", "inspect", "json", "logging", "pathlib", "random", "ssl", "subprocess", "typing"}


class StartTests(unittest.TestCase):
    def test_the_import_is_light(self):
        # Without site packages, which import modules of their own in some installations.
        code = f"import sys; sys.path.insert(0, {str(bed.PACKAGE)!r}); import locationd; print(*sys.modules)"
        run = subprocess.run([sys.executable, "-I", "-S", "-B", "-c", code], capture_output=True, text=True, check=True)
        self.assertEqual(set(run.stdout.split()) & HEAVY, set())


if __name__ == "__main__":
    unittest.main()
