"""Every block of the documents has a language, every command is in the plan of what runs it, every link leads somewhere."""
import json
import unittest

from documents import COMMANDS, OTHERS, ROOT, all_blocks, anchors, documents, links
from sessions import PLAN


class Blocks(unittest.TestCase):
    def test_have_a_known_language(self):
        for block in all_blocks():
            self.assertIn(block.language, COMMANDS | OTHERS, block.place)

    def test_of_commands_are_each_in_the_plan_once(self):
        planned = [entry["block"] for part in ("local", "cluster", "not run") for entry in PLAN[part] if "block" in entry]
        found = [block.name for block in all_blocks() if block.language in COMMANDS]
        self.assertEqual(sorted(planned), sorted(found))

    def test_have_each_text_that_a_substitution_replaces(self):
        texts = {block.name: block.text for block in all_blocks()}
        for each in PLAN["substitutions"]:
            there = [texts[entry["block"]] for entry in PLAN[each["where"]] if "block" in entry]
            self.assertTrue(any(each["what"] in text for text in there), each)

    def test_of_json_are_json(self):
        for block in all_blocks():
            if block.language == "json":
                json.loads(block.text)


class Links(unittest.TestCase):
    def test_lead_somewhere(self):
        for document in documents():
            for line, address in links(document):
                if "://" in address:
                    continue
                path, _, anchor = address.partition("#")
                target = ((ROOT / document).parent / path if path else ROOT / document).resolve()
                self.assertTrue(target.exists(), f"{document}:{line}: {address}")
                if anchor:
                    self.assertIn(anchor, anchors(target.relative_to(ROOT)), f"{document}:{line}: {address}")


if __name__ == "__main__":
    unittest.main()
