import { z } from 'zod'
import { passAtK } from '../../../engine/statistics/pass-at-k.ts'
import { checkOutput } from '../../../engine/grading/scorers/evalplus/check-output.ts'
import { extractPython } from '../../../engine/grading/scorers/evalplus/extract-code.ts'
import { sanitize } from '../../../engine/grading/scorers/evalplus/sanitize.ts'
import { STRICT_NUMBER, taskPattern } from '../../../engine/grading/scorers/lm-eval/known-patterns.ts'
import { extractCode, extractExecutionAnswer, extractTestOutput } from '../../../engine/grading/scorers/livecodebench/extract.ts'
import { firstMatch } from '../../../engine/grading/scorers/patterns/pattern.ts'
import { parsePythonLiteral } from '../../../engine/grading/scorers/python/literal.ts'
import { cellsOf, softAndHard } from '../../../engine/grading/scorers/spreadsheetbench/cell-range.ts'
import { numberList, option, scoreRow, targetTexts, textOutput } from './read-row.ts'
import type { RunVector, VectorFamily, VectorRow } from './vector-row.ts'

const count = z.number()

const isRight: RunVector = row => scoreRow(row).value === 1

function output(row: VectorRow): unknown {
  const [target = ''] = targetTexts(row)
  const actual = parsePythonLiteral(textOutput(row))
  const expected = parsePythonLiteral(target)
  if (!actual || !expected) throw new Error('the row holds no Python literals')
  return checkOutput(actual, expected, option(row, 'atol', count)).isEqual
}

export const codeVectors: VectorFamily = {
  runs: {
    'codegen/pass_at_k': row => passAtK(option(row, 'n', count), option(row, 'c', count), option(row, 'k', count)).value,
    'gsm8k_official/extract_answer': row =>
      firstMatch(taskPattern(STRICT_NUMBER), textOutput(row))?.groups[1]?.text.replaceAll(',', '') ?? '[invalid]',
    'evalplus/check_output': output,
    'evalplus/code_extract': row => extractPython(textOutput(row)),
    'evalplus/sanitize': row => sanitize(textOutput(row), option(row, 'entrypoint', z.string().optional())),
    'livecodebench/stdio_compare': isRight,
    'livecodebench/call_compare': isRight,
    'livecodebench/test_output_prediction': isRight,
    'livecodebench/extract_code': row => extractCode(textOutput(row)),
    'livecodebench/extract_test_output_code': row => extractTestOutput(textOutput(row)),
    'livecodebench/extract_execution_code': row => extractExecutionAnswer(textOutput(row), option(row, 'cot', z.boolean())),
    'spreadsheetbench/cell_compare': isRight,
    'spreadsheetbench/cell_range': row => cellsOf(textOutput(row)),
    'spreadsheetbench/soft_hard': row => {
      const { soft, hard } = softAndHard(numberList(row.output))
      return { soft_restriction: soft, hard_restriction: hard }
    },
  },
}
