#!/usr/bin/env python3
"""Which rows of tools/bench/sweep stand out beside their neighbours, by made-up times.

    tests/tool/units/sweep.py
"""
import importlib.machinery
import importlib.util
import pathlib
import unittest

PATH = pathlib.Path(__file__).resolve().parents[3] / "tools/bench/sweep"
LOADER = importlib.machinery.SourceFileLoader("sweep", str(PATH))
sweep = importlib.util.module_from_spec(importlib.util.spec_from_loader("sweep", LOADER))
LOADER.exec_module(sweep)


def row(keys, data, time, **members):
    """A row of so many microseconds, whose best run is its median."""
    seconds = time * 1e-6
    made = {"keys": keys, "type": "u32", "data": data, "algorithm": "auto", "value_size": 0,
            "index_size": 0, "operation": "sort", "limit": 0, "shape": "", "runs": 3,
            "host_median_s": None, "device_median_s": seconds, "device_best_s": seconds}
    return {**made, **members}


def rows_of(length, time, layout="rows"):
    return row(1 << 16, "random", time, shape=f"{layout} of {length}")


class Outliers(unittest.TestCase):
    def expect(self, rows, *outliers, factor=1.5):
        """Those stand out: the row's place, its neighbour's, what that is, and the ratio."""
        found = sweep.find_outliers(rows, factor)
        self.assertEqual([(rows.index(each.row), rows.index(each.other), each.neighbour,
                           round(each.ratio, 6)) for each in found], list(outliers))
        return found

    def test_rate_that_falls(self):
        """The time of each key may rise by the factor from one count to the next, and no more."""
        small = [row(1024, "random", 50), row(2048, "random", 90)]
        self.expect([row(4096, "random", 160), *small])
        self.expect([row(4096, "random", 1.49 * 2 * 90), *small])
        rows = [row(4096, "random", 1.6 * 2 * 90), *small]
        found = self.expect(rows, (0, 2, "fewer", 1.6))
        self.assertAlmostEqual(found[0].expected, 2 * 90e-6)
        self.expect(rows, factor=1.61)
        self.expect([])

    def test_more_keys_in_less_time(self):
        """Few keys cost launches: only more time than for more keys stands out."""
        rows = [row(1024, "random", 50), row(2048, "random", 50), row(4096, "random", 60)]
        self.expect(rows)
        rows[:2] = row(1024, "random", 100), row(2048, "random", 2 * 60)
        self.expect(rows, (1, 2, "more", 2))

    def test_beside_random_keys(self):
        rows = [row(1024, "zipf", 100), row(1024, "sorted", 20), row(1024, "random", 50),
                row(4096, "zipf", 200)]
        self.expect(rows, (0, 2, "random", 2))
        rows[0] = row(1024, "zipf", 70)
        self.expect(rows)

    def test_lengths(self):
        self.expect([rows_of(32, 100), rows_of(64, 140), rows_of(128, 140)])
        self.expect([rows_of(32, 100), rows_of(64, 160), rows_of(128, 140)],
                    (1, 0, "shorter", 1.6))
        self.expect([rows_of(32, 280), rows_of(64, 140), rows_of(128, 140)],
                    (0, 1, "longer", 2))
        self.expect([rows_of(32, 280, "segments"), rows_of(64, 140), rows_of(128, 140)])

    def test_strangers(self):
        """What differs in more than one thing, or in another, is no neighbour."""
        rows = [row(1024, "random", 50), row(2048, "zipf", 900),
                row(2048, "random", 800, value_size=4),
                row(2048, "random", 300, algorithm="quick"), row(1024, "zipf", 300, limit=10)]
        self.expect(rows)
        rows[2]["value_size"] = 0
        self.expect(rows[:3], (2, 0, "fewer", 8))

    def test_rows_that_were_not_measured(self):
        self.expect([row(1024, "random", 50), row(2048, "random", 0, runs=0),
                     row(4096, "random", 400)], (2, 0, "fewer", 2))

    def test_noise(self):
        """Launches vary by some microseconds, and noise has good runs among the bad ones."""
        base = row(1024, "random", 4)
        self.expect([base, row(1024, "zipf", 8.9)])
        rows = [base, row(1024, "zipf", 9.2)]
        self.expect(rows, (1, 0, "random", 2.3))
        rows[1]["device_best_s"] = 5e-6
        self.expect(rows)
        base["device_best_s"] = 3e-6  # one that is noisy itself is told by its best run
        self.expect(rows, (1, 0, "random", 2.3))
        base.update(device_best_s=20e-6, device_median_s=50e-6)
        self.expect([base, row(1024, "zipf", 70)])

    def test_clocks(self):
        """By the host's clock where one of the two has no other."""
        host = {"host_median_s": 300e-6, "host_best_s": 300e-6}
        rows = [row(1024, "random", 50, **host), row(1024, "zipf", 100, **host)]
        self.assertEqual(self.expect(rows, (1, 0, "random", 2))[0].clock, "device")
        rows[0]["device_median_s"] = None
        self.expect(rows)
        rows[1].update(host_median_s=900e-6, host_best_s=900e-6)
        self.assertEqual(self.expect(rows, (1, 0, "random", 3))[0].clock, "host")

    def test_worst_first(self):
        """A row is there once, by its worst neighbour, and the worst row first."""
        self.expect([row(1024, "random", 50), row(2048, "random", 140), row(1024, "zipf", 150),
                     row(2048, "zipf", 100), row(1024, "few16", 60), row(2048, "few16", 900)],
                    (5, 4, "fewer", 7.5), (2, 0, "random", 3))


if __name__ == "__main__":
    unittest.main()
