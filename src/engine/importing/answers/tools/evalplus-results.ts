import { unpackedName } from '../../../../lib/file-name.ts'
import { z } from 'zod'
import { LogError, parseLogJson } from '../foreign-log.ts'
import type { ToolReader } from './read-tool-results.ts'
import { recordedLog, type RecordedRow, rowsIn } from './recorded-rows.ts'

const Result = z
  .looseObject({
    task_id: z.string().optional(),
    solution: z.string(),
    base_status: z.string().optional(),
    plus_status: z.string().nullish(),
    /** Of BigCodeBench, which has one set of tests. */
    status: z.string().optional(),
  })
  .refine(result => result.base_status !== undefined || result.status !== undefined, { path: ['base_status'], error: 'is required' })
const Placed = z.object({ id: z.string(), epoch: z.int(), result: Result })
const Results = z.looseObject({ eval: z.record(z.string(), z.array(z.unknown())) })

/** `*_eval_results.json`: the programs with what became of them in the base tests and in the further ones. */
export const evalplusResults: ToolReader = {
  tool: 'EvalPlus',
  matches: ({ head }) =>
    (/"base_status"\s*:/.test(head) && /"eval"\s*:/.test(head)) || /"eval"\s*:\s*\{\s*"BigCodeBench\/\d+"\s*:\s*\[/.test(head),
  read: files =>
    files.map(({ name, bytes }) => {
      const parsed = Results.safeParse(parseLogJson(bytes.toString('utf8'), name))
      if (!parsed.success) throw new LogError(`"${name}" holds no results of EvalPlus that can be read.`)
      const model =
        unpackedName(name)
          .replace(/\.json$/i, '')
          .replace(/[._]eval_results$/i, '') || 'unknown model'
      const given = Object.entries(parsed.data.eval).flatMap(([id, of]) => of.map((result, i) => ({ id, epoch: i + 1, result })))
      const { rows: results, left } = rowsIn(Placed, given, name, 'result')
      const rows = results.map(({ id, epoch, result: { solution, base_status: base, plus_status: plus, status } }): RecordedRow => {
        const passes = base === 'pass' && plus === 'pass'
        return {
          id,
          input: id,
          targets: [],
          model,
          epoch,
          output: `\`\`\`python\n${solution}\n\`\`\``,
          scores: {
            ...(plus == null ? {} : { plus: Number(passes) }),
            ...(base === undefined ? {} : { base: Number(base === 'pass') }),
            ...(status === undefined ? {} : { pass: Number(status === 'pass') }),
          },
          reasons: {
            ...(plus == null ? {} : { plus: `Base tests: ${base}; further tests: ${plus}.` }),
            ...(base === undefined ? {} : { base: `Base tests: ${base}.` }),
            ...(status === undefined ? {} : { pass: `Tests: ${status}.` }),
          },
        }
      })
      const tool = rows.some(({ id }) => id.startsWith('BigCodeBench/')) ? 'BigCodeBench' : 'EvalPlus'
      return recordedLog(tool, tool, rows, [
        ...left,
        tool === 'BigCodeBench'
          ? 'The results name their problems by id alone, so that no program can be run again.'
          : 'The results name their problems by id alone. To run the programs again, import their samples as outputs for HumanEval+ or MBPP+.',
      ])
    }),
}
