"""Names of files below an output folder (-o OUT/), and counts per folder."""

import json
import unittest

from support import SosieTest, jsonl


def rows(name: str, count: int = 3) -> str:
    return jsonl([{"id": f"{name}{i}", "text": f"{name} says {i} times that nothing is the same"}
                  for i in range(count)])


class OutputTrees(SosieTest):
    def setUp(self):
        super().setUp()
        for path in ("data/web/x.jsonl", "data/web/deep/x.jsonl", "data/wiki/x.jsonl"):
            self.write(path, rows(path.replace("/", "").replace(".", "")))

    def below(self, folder: str) -> dict[str, bytes]:
        return {str(path.relative_to(self.dir / folder)): path.read_bytes()
                for path in (self.dir / folder).rglob("*")
                if path.is_file() and path.name != ".sosie-outputs"}

    def test_one_folder_gives_the_paths_below_it(self):
        self.sosie("dedup", "data", "-o", "out/")
        self.assertEqual(self.below("out"), self.below("data"))

    def test_several_folders_keep_their_own_names(self):
        for folders in (("data/web", "data/wiki"), ("data/web/", "./data/../data/wiki")):
            self.sosie("dedup", *folders, "-o", "out/", "--overwrite")
            self.assertEqual(self.below("out"), self.below("data"))

    def test_folders_of_one_name_are_told_apart_by_those_above(self):
        self.write("more/web/x.jsonl", rows("more"))
        self.sosie("dedup", "data/web", "more/web", "-o", "out/")
        self.assertEqual(set(self.below("out")),
                         {"data/web/x.jsonl", "data/web/deep/x.jsonl", "more/web/x.jsonl"})

    def test_files_keep_their_names_and_those_of_one_name_their_folders(self):
        self.write("data/y.jsonl", rows("y"))
        self.sosie("dedup", "data/y.jsonl", "data/web/x.jsonl", "-o", "out/")
        self.assertEqual(set(self.below("out")), {"x.jsonl", "y.jsonl"})
        self.sosie("dedup", "data/wiki/x.jsonl", "data/web/x.jsonl", "-o", "two/")
        self.assertEqual(set(self.below("two")), {"wiki/x.jsonl", "web/x.jsonl"})
        self.fails(2, "dedup", "data/wiki/x.jsonl", "./data/wiki/x.jsonl", "--id", "row", "-o",
                   "three/", says="both be written to three/", hints="once")

    def sharded(self, shards: list[str]) -> dict[str, bytes]:
        self.sosie("plan", "data", "-o", "plan.json")
        for number, shard in enumerate(shards):
            self.sosie("sketch", shard, "--plan", "plan.json", "-o", f"{number}.sketches")
        sketches = [f"{number}.sketches" for number in range(len(shards))]
        self.sosie("dedup", "--reuse", *sketches, "-o", "sharded/", "--overwrite", "--stats", "s.json")
        return self.below("sharded")

    def test_a_sharded_run_writes_the_paths_of_the_run_of_the_folder(self):
        for shards in (["data"], ["data/web", "data/wiki"],
                       ["data/web/x.jsonl", "data/web/deep/x.jsonl", "data/wiki/x.jsonl"]):
            self.assertEqual(self.sharded(shards), self.below("data"), shards)

    def test_sub_folders_of_the_one_input_are_counted_apart(self):
        self.write("data/z.jsonl", rows("z", 2) + rows("y", 2))
        run = self.sosie("dedup", "data", "-o", "out/", "--stats", "s.json")
        inputs = [(one["name"], one["rows"]) for one in json.loads(self.read("s.json"))["inputs"]]
        self.assertEqual(inputs, [("data/web", 6), ("data/wiki", 3), ("data", 4)])
        self.assertRegex(run.err, r"\ndata/web +6 ")
        self.sosie("dedup", "data/web", "data/wiki", "-o", "two/", "--stats", "s.json")
        inputs = [one["name"] for one in json.loads(self.read("s.json"))["inputs"]]
        self.assertEqual(inputs, ["data/web", "data/wiki"])
        self.sharded(["data/web", "data/wiki"])
        self.assertEqual([one["name"] for one in json.loads(self.read("s.json"))["inputs"]], inputs)


if __name__ == "__main__":
    unittest.main()
