import type { Instructions } from '../../../grading/scorers/ifeval/instructions.ts'
import type { ProfileDefinition } from '../../../tasks/definition.ts'
import { binaryMetric } from '../../../tasks/metric.ts'
import type { Task } from '../../../tasks/task.ts'
import { presentField, textField, textsField } from '../../files/row-fields.ts'
import { type Row, RowError } from '../../files/row.ts'

/** The one profile of such a benchmark. @param readings of an answer, the one that is published first */
export function instructionProfile(
  scorers: 'ifbench' | 'ifeval',
  readings: readonly [primary: 'strict' | 'loose', other: 'strict' | 'loose'],
  max_output_tokens: number,
): ProfileDefinition {
  return {
    key: 'zero-shot',
    title: 'Zero-shot',
    summary: 'The prompt alone.',
    split: 'test',
    systemPrompt: null,
    promptTemplate: '{prompt}',
    shotTemplate: null,
    shots: 0,
    generation: { temperature: 0, max_output_tokens, stop: [] },
    metrics: readings.map((reading, i) =>
      binaryMetric(reading, `All instructions, ${reading}`, `${scorers}/${reading}`, i === 0 ? { primary: true } : undefined),
    ),
    requires: ['chat'],
    chanceLevel: null,
    breakdowns: ['instructions'],
  }
}

/** Reads a prompt with its instructions, all of which must be known. @param set the benchmark's name */
export function instructionTask(set: string, { ids: known }: Instructions): (row: Row) => Task {
  return row => {
    const prompt = textField(row, 'prompt')
    const key = presentField(row, 'key')
    if (typeof key !== 'number' && typeof key !== 'string') throw new RowError('The field "key" must be a number or text.')
    const ids = textsField(row, 'instruction_id_list')
    const unknown = ids.find(id => !known.includes(id))
    if (unknown !== undefined)
      throw new RowError(
        `Use the prompts of ${set} with this recipe: no checker knows the instruction "${unknown.slice(0, 80)}". ${set} has ${known.length} kinds.`,
      )
    return {
      id: String(key),
      split: 'test',
      fields: { prompt },
      targets: [],
      choices: null,
      metadata: { instruction_id_list: ids, kwargs: readArguments(row, ids.length), prompt, instructions: String(ids.length) },
      capabilities: ['instruction following'],
      dependsOn: [],
    }
  }
}

/** One object of arguments for each instruction; some copies of the data write the absent ones as null. */
function readArguments(row: Row, count: number): Readonly<Record<string, unknown>>[] {
  const list = presentField(row, 'kwargs')
  if (!Array.isArray(list)) throw new RowError('The field "kwargs" must be a list.')
  if (list.length !== count) throw new RowError(`"kwargs" has ${list.length} entries but "instruction_id_list" has ${count}.`)
  return list.map((item: unknown, i) => {
    if (typeof item !== 'object' || item === null || Array.isArray(item))
      throw new RowError(`Entry ${i + 1} of "kwargs" must be an object.`)
    return Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null))
  })
}
