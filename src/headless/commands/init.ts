import { writeFileSync } from 'node:fs'
import type { Command } from 'commander'
import { type Finish, offline } from '../client/session.ts'
import { exitCodes, UsageError } from '../exit-codes.ts'

/** A first `assay.yaml`. It runs as it is, offline and free. */
const template = `# One evaluation as a file: assay quote --config assay.yaml, then assay run --config assay.yaml.
# A running service publishes the schema at /v1/schemas/run-config.json.
version: 1
name: Nightly

# Route id of a model ("assay models"), or id or name of a connection ("assay connections").
# This one is a baseline: it calls no model and costs nothing.
model: assay/oracle-75

# slug, slug:profile, or a full profile id ("assay benchmarks"). Instead of benchmarks: suite: NAME
benchmarks:
  - arithmetic-word-problems

# "full", or a sample. The same seed selects the same tasks.
coverage:
  sample: 100
  seed: 1

# Overrides of the benchmarks' own settings.
execution:
  epochs: 1

# Evaluator versions that grade every output as well ("assay evaluators").
evaluators: []

# Spending limit in US dollars.
cap_usd: 0

# How "assay run" exits: 0 where every gate passes, 100 where one fails, 3 where the tasks settle neither. Gates are judged by the bounds
# of the intervals; fixed_tasks: true judges exactly these tasks, as unit tests are.
gates:
  fail_under:
    primary: 0.6
  # baseline: NAME-OR-ID-OF-A-RUN
  # no_regression: true
  # margin: 0.05
  # min_tasks: 20
`

/** `assay init`: writes `assay.yaml` with comments. */
export function addInit(program: Command, finish: Finish): void {
  program
    .command('init')
    .argument('[file]', 'file to write', 'assay.yaml')
    .description('write an assay.yaml with comments')
    .action(
      offline(finish, (out, command) => {
        const file = command.args[0] ?? 'assay.yaml'
        try {
          writeFileSync(file, template, { flag: 'wx' })
        } catch (error) {
          if (error instanceof Error && 'code' in error && error.code === 'EEXIST')
            throw new UsageError(`${file} exists and was left as it is. Name another file: assay init FILE`)
          throw error
        }
        out.line(`Wrote ${file}. Next: assay quote --config ${file}`)
        return exitCodes.passed
      }),
    )
}
