import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { StoredDefinition, StoredProfile, StoredShots } from '../../tasks/definition.schemas.ts'
import type { BundledBenchmark } from '../../tasks/definition.ts'
import type { Task } from '../../tasks/task.ts'
import { shippedPath } from '../shipped-path.ts'

/** `benchmark.json` of a folder in `resources/benchmarks`. */
const BenchmarkFile = z.strictObject({
  version: z.string(),
  definition: StoredDefinition.extend({ profiles: z.array(StoredProfile).min(1) }),
  shots: StoredShots,
})

/** A line of `tasks.jsonl`. */
const TaskLine: z.ZodType<Task> = z.strictObject({
  id: z.string(),
  split: z.enum(['test', 'canonical']),
  fields: z.record(z.string(), z.string()),
  targets: z.array(z.string()),
  choices: z.array(z.string()).nullable(),
  metadata: z.record(z.string(), z.unknown()),
  capabilities: z.array(z.string()),
  dependsOn: z.array(z.string()),
})

let known: readonly BundledBenchmark[] | null = null

/**
 * Every benchmark that ships with Assay, in the order of their slugs. The definitions are read once; tasks are read at each call of `content`.
 * @throws Error when the folder is missing or a file does not have its form
 */
export function bundledBenchmarks(): readonly BundledBenchmark[] {
  known ??= readAll()
  return known
}

function readAll(): BundledBenchmark[] {
  const root = shippedPath('benchmarks')
  return readdirSync(root)
    .sort()
    .map(slug => readBenchmark(join(root, slug)))
}

function readBenchmark(folder: string): BundledBenchmark {
  const { version, definition, shots } = BenchmarkFile.parse(JSON.parse(readFileSync(join(folder, 'benchmark.json'), 'utf8')))
  return { definition, version, content: () => ({ version, tasks: readTasks(join(folder, 'tasks.jsonl')), shots }) }
}

function readTasks(path: string): Task[] {
  return readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map(line => TaskLine.parse(JSON.parse(line)))
}
