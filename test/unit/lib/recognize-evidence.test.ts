import { expect, test } from 'vitest'
import { recognizeEvidence } from '../../../src/lib/recognize-evidence.ts'

test.each([
  ['PK\u0003\u0004…', 'inspect'],
  ['{"version": 2, "status": "success", "eval": {"task": "t"}, "samples": []}', 'inspect'],
  ['{"results": {"sciq": {"acc": 0.5}}, "versions": {"sciq": 0}}', 'lm_eval'],
  ['{"doc_id": 0, "doc": {}, "acc": 1.0}\n', 'lm_eval'],
  ['{"evalId": "eval-1", "results": {"version": 3, "prompts": [], "results": []}}', 'promptfoo'],
  ['{"results": {"results": [{"testIdx": 0, "promptIdx": 0}]}}', 'promptfoo'],
  ['<?xml version="1.0"?>\n<testsuites><testsuite name="s">', 'junit'],
  ['{"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": []}', 'sarif'],
  ['task_id,score\na,1\n', 'csv'],
  ['\n\ttask\tscore\na\t1\n', 'csv'],
] as const)('%j is of %s, whatever its name', (head, format) => {
  expect(recognizeEvidence(head)).toBe(format)
})

test.each(['', 'just words', '<html><body>', '\u0089PNG\r\n', '{"a": 1}', '[1, 2]'])('%j is of no known tool', head => {
  expect(recognizeEvidence(head)).toBeNull()
})
