import { type Command, Option } from 'commander'
import { z } from 'zod'
import { describeField, describeIssue, meantIssues, RunConfig } from '../../contract/index.ts'
import { UsageError } from '../exit-codes.ts'
import { readRunConfig } from './run-config-file.ts'
import { parseFlags } from './session.ts'

const Flags = z.object({
  config: z.string().optional(),
  model: z.string().optional(),
  benchmark: z.array(z.string()).optional(),
  suite: z.string().optional(),
  sample: z.coerce.number('must be a number of tasks').optional(),
  seed: z.coerce.number('must be a whole number').optional(),
  epochs: z.coerce.number('must be a whole number').optional(),
  cap: z.string().optional(),
  name: z.string().optional(),
  failUnder: z.array(z.string()).optional(),
  baseline: z.string().optional(),
  /** Commander reads `--no-regression` as `regression: false`. */
  regression: z.boolean().optional(),
  margin: z.coerce.number('must be a fraction such as 0.05').optional(),
  minTasks: z.coerce.number('must be a whole number').optional(),
  fixedTasks: z.boolean().optional(),
})
type Flags = z.infer<typeof Flags>

const collect = (value: string, earlier: string[] = []) => [...earlier, value]

/** Options that say what to evaluate. */
export function withSelection(command: Command): Command {
  return command
    .option('--config <file>', 'read the evaluation from assay.yaml')
    .option('--model <model>', 'route id of a model, or id or name of a connection')
    .addOption(new Option('--benchmark <slug>', 'slug, slug:profile or profile id; may be repeated').argParser(collect))
    .option('--sample <n>', 'tasks of each profile (default: all)')
    .option('--seed <n>', 'selects the tasks of the sample (default: 1)')
    .option('--epochs <n>', 'samples of each task (default: 1)')
    .option('--cap <usd>', 'spending limit in US dollars (default: 0)')
}

/** Options that decide how `assay run` exits. */
export function withGates(command: Command): Command {
  return command
    .addOption(
      new Option('--fail-under <metric=score>', 'lowest score, e.g. primary=0.8, by the bounds of its interval; may be repeated').argParser(
        collect,
      ),
    )
    .option('--baseline <run>', 'run to compare with')
    .option('--no-regression', 'no drop of more than --margin against --baseline, by the bounds of the paired difference')
    .option('--margin <fraction>', 'accepted drop for --no-regression (default: 0.05)')
    .option('--min-tasks <n>', 'a gate over fewer tasks is inconclusive (default: 20)')
    .option('--fixed-tasks', 'judge exactly these tasks, as unit tests are: no intervals, no --min-tasks')
    .addHelpText('after', '\nGates exit with 0 where all pass, 100 where one fails and 3 where one is inconclusive.')
}

const selecting = ['model', 'benchmark', 'suite', 'sample', 'seed', 'epochs', 'cap'] as const

/** The evaluation by options or by file; gates and name may come beside a file. @throws UsageError */
export function runConfigOf(command: Command): RunConfig {
  const flags = parseFlags(Flags, command)
  const given = flags.config === undefined ? fromFlags(flags) : fromFile(flags, flags.config)
  return checked({ ...given, ...(flags.name === undefined ? {} : { name: flags.name }), gates: withGateFlags(given.gates, flags) })
}

/** The gates alone, for a run that exists or whose quote does. @throws UsageError */
export function gatesOf(command: Command): RunConfig['gates'] {
  const gates = withGateFlags({}, parseFlags(Flags, command))
  return checked({ version: 1, model: 'of the quote', benchmarks: ['of the quote'], gates }).gates
}

type GivenGates = NonNullable<z.input<typeof RunConfig>['gates']>

function withGateFlags(given: GivenGates, { failUnder, baseline, regression, margin, minTasks, fixedTasks }: Flags): GivenGates {
  return {
    ...given,
    ...(failUnder && { fail_under: { ...given.fail_under, ...Object.fromEntries(failUnder.map(threshold)) } }),
    ...(baseline !== undefined && { baseline }),
    ...(regression === false && { no_regression: true }),
    ...(margin !== undefined && { margin }),
    ...(minTasks !== undefined && { min_tasks: minTasks }),
    ...(fixedTasks && { fixed_tasks: true }),
  }
}

function fromFile(flags: Flags, path: string): RunConfig {
  const beside = selecting.find(name => flags[name] !== undefined)
  if (beside !== undefined) throw new UsageError(`--${beside} and --config exclude each other: change ${path} instead`)
  return readRunConfig(path)
}

function fromFlags({ model, benchmark, suite, sample, seed, epochs, cap }: Flags): RunConfig {
  if (model === undefined)
    throw new UsageError('--model is missing. "assay models" and "assay connections" list them; --config reads assay.yaml.')
  if (benchmark === undefined && suite === undefined) throw new UsageError('--benchmark is missing. "assay benchmarks" lists them.')
  if (seed !== undefined && sample === undefined) throw new UsageError('--seed selects a sample: add --sample N')
  return checked({
    version: 1,
    model,
    ...(benchmark === undefined ? {} : { benchmarks: benchmark }),
    ...(suite === undefined ? {} : { suite }),
    ...(sample === undefined ? {} : { coverage: { sample, seed: seed ?? 1 } }),
    ...(epochs === undefined ? {} : { execution: { epochs } }),
    ...(cap === undefined ? {} : { cap_usd: cap }),
  })
}

function checked(config: z.input<typeof RunConfig>): RunConfig {
  const parsed = RunConfig.safeParse(config)
  if (parsed.success) return parsed.data
  const faults = meantIssues(parsed.error.issues).map(issue => describeField(['the evaluation', flagOf(issue.path)], describeIssue(issue)))
  throw new UsageError(faults.join('\n'))
}

/** The option that a field of the configuration came from. */
function flagOf(path: readonly PropertyKey[]): string {
  const name = path.map(String).join('.')
  const flags = {
    benchmarks: 'benchmark',
    'coverage.sample': 'sample',
    'coverage.seed': 'seed',
    'execution.epochs': 'epochs',
    cap_usd: 'cap',
  }
  const given = {
    ...flags,
    model: 'model',
    suite: 'suite',
    name: 'name',
    'gates.baseline': 'baseline',
    'gates.no_regression': 'no-regression',
    'gates.margin': 'margin',
    'gates.min_tasks': 'min-tasks',
  }
  const flag = Object.entries(given).find(([field]) => name === field || name.startsWith(`${field}.`))?.[1]
  return flag === undefined ? name : `--${flag}`
}

function threshold(text: string): [string, number] {
  const [metric, score] = text.includes('=')
    ? [text.slice(0, text.lastIndexOf('=')), text.slice(text.lastIndexOf('=') + 1)]
    : ['primary', text]
  const value = Number(score)
  if (metric === '' || score.trim() === '' || !(value >= 0 && value <= 1))
    throw new UsageError(`--fail-under must be METRIC=SCORE with a score from 0 to 1, not "${text}"`)
  return [metric, value]
}
