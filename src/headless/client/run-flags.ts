import { type Command, Option } from 'commander'
import { z } from 'zod'
import { ServiceError } from '../../contract/client.ts'
import { describeIssue } from '../../contract/describe-issue.ts'
import { describeField } from '../../contract/errors.ts'
import { meantIssues } from '../../contract/meant-issues.ts'
import { RunConfig } from '../../contract/run-config/run-config.schemas.ts'
import { UsageError } from '../exit-codes.ts'
import { readRunConfig } from './run-config-file.ts'
import { parseFlags } from './session.ts'

const Flags = z.object({
  config: z.string().optional(),
  model: z.array(z.string()).max(1, 'a run has one model; run the command once for each').optional(),
  benchmark: z.array(z.string()).optional(),
  suite: z.string().optional(),
  sample: z.coerce.number('must be a number of tasks').optional(),
  seed: z.coerce.number('must be a whole number').optional(),
  epochs: z.coerce.number('must be a whole number').optional(),
  temperature: z.coerce.number('must be a number').optional(),
  topP: z.coerce.number('must be a number').optional(),
  modelSeed: z.coerce.number('must be a whole number').optional(),
  concurrency: z.coerce.number('must be a whole number').optional(),
  evaluator: z.array(z.string()).optional(),
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

/** For an option that takes one value and may be given several times; one that takes several would take what follows it. */
export const collect = (value: string, earlier: string[] = []) => [...earlier, value]

/** Options that say what to evaluate. */
export function withSelection(command: Command): Command {
  return command
    .option('--config <file>', 'read the evaluation from assay.yaml')
    .addOption(new Option('--model <model>', 'route id of a model, or id or name of a connection').argParser(collect))
    .addOption(new Option('--benchmark <slug>', 'slug, slug:profile or profile id; may be repeated').argParser(collect))
    .option('--sample <n>', 'tasks of each profile (default: all)')
    .option('--seed <n>', 'selects the tasks of the sample (default: 1)')
    .option('--epochs <n>', 'samples of each task (default: 1)')
    .option('--temperature <t>', 'sampling temperature (default: of each profile)')
    .option('--top-p <p>', 'top p that is sent to the model, above 0 and up to 1 (default: of the connection)')
    .option('--model-seed <n>', 'seed that is sent to the model; --seed selects tasks (default: of the connection)')
    .option('--concurrency <n>', 'max calls in flight (default: within the endpoint’s limits)')
    .addOption(new Option('--evaluator <id>', 'evaluator version that grades every output as well; may be repeated').argParser(collect))
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
    .option('--baseline <run>', 'id or name of the run to compare with, or latest: the newest run')
    .option('--no-regression', 'no drop of more than --margin against --baseline, by the bounds of the paired difference')
    .option('--margin <fraction>', 'accepted drop for --no-regression (default: 0.05)')
    .option('--min-tasks <n>', 'a gate over fewer tasks is inconclusive (default: 20)')
    .option('--fixed-tasks', 'judge exactly these tasks, as unit tests are: no intervals, no --min-tasks')
    .addHelpText('after', '\nGates exit with 0 where all pass, 100 where one fails and 3 where one is inconclusive.')
}

/** The evaluation by options or by file; gates and name may come beside a file. @throws UsageError */
export function runConfigOf(command: Command): RunConfig {
  const flags = parseFlags(Flags, command)
  const given = flags.config === undefined ? fromFlags(flags) : fromFile(flags, flags.config)
  return checked({ ...given, ...(flags.name === undefined ? {} : { name: flags.name }), gates: withGateFlags(given.gates ?? {}, flags) })
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

/** What a file says, with the options that change it. */
function fromFile(flags: Flags, path: string): z.input<typeof RunConfig> {
  const { benchmarks, suite, ...others } = readRunConfig(path)
  const chosen = flags.benchmark || flags.suite ? {} : { ...(benchmarks && { benchmarks }), ...(suite && { suite }) }
  return withFlags({ ...others, ...chosen }, flags)
}

function fromFlags(flags: Flags): z.input<typeof RunConfig> {
  const { model: [model] = [], benchmark, suite, sample, seed } = flags
  if (model === undefined)
    throw new UsageError('--model is missing. "assay models" and "assay connections" list them; --config reads assay.yaml.')
  if (benchmark === undefined && suite === undefined) throw new UsageError('--benchmark is missing. "assay benchmarks" lists them.')
  if (seed !== undefined && sample === undefined) throw new UsageError('--seed selects a sample: add --sample N')
  return withFlags({ version: 1, model }, flags)
}

function withFlags(given: z.input<typeof RunConfig>, flags: Flags): z.input<typeof RunConfig> {
  const { model: [model] = [], benchmark, suite, sample, seed, epochs, temperature, topP, modelSeed, concurrency, evaluator, cap } = flags
  const drawn = typeof given.coverage === 'object' ? given.coverage : undefined
  const count = sample ?? drawn?.sample
  const changed = Object.entries({ epochs, temperature, top_p: topP, model_seed: modelSeed, concurrency }).filter(
    ([, value]) => value !== undefined,
  )
  return {
    ...given,
    ...(model !== undefined && { model }),
    ...(benchmark && { benchmarks: benchmark }),
    ...(suite !== undefined && { suite }),
    ...(count !== undefined && { coverage: { sample: count, seed: seed ?? drawn?.seed ?? 1 } }),
    ...(changed.length > 0 && { execution: { ...given.execution, ...Object.fromEntries(changed) } }),
    ...(evaluator && { evaluators: evaluator }),
    ...(cap !== undefined && { cap_usd: cap }),
  }
}

function checked(config: z.input<typeof RunConfig>): RunConfig {
  const parsed = RunConfig.safeParse(config, { reportInput: true })
  if (parsed.success) return parsed.data
  const faults = meantIssues(parsed.error.issues).map(issue => ofFlag(flagOf(issue.path), describeIssue(issue)))
  throw new UsageError(faults.join('\n'))
}

/** What is wrong with an option, and of one that names what is unknown, which command lists what it can name. */
function ofFlag(flag: string, fault: string): string {
  const command = /^(?:must be a UUID|there is no )/.test(fault) ? lists[flag] : undefined
  return `${describeField(['the evaluation', flag], fault)}${command === undefined ? '' : `. "assay ${command}" lists them.`}`
}

const lists: Readonly<Record<string, string>> = { '--evaluator': 'evaluators', '--baseline': 'runs' }

/** A refusal of what the service was asked, in the words of the options. @throws ServiceError with the reply as it came */
export async function inFlags<Value>(asked: Promise<Value>): Promise<Value> {
  try {
    return await asked
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'validation_error') throw error
    const { status, code, requestId, detail, body } = error
    const flags = detail.map(({ loc, msg }) => ({ flag: flagOf(loc.slice(1)), msg }))
    if (flags.length === 0 || !flags.every(({ flag }) => flag.startsWith('--'))) throw error
    throw new ServiceError(status, code, flags.map(({ flag, msg }) => ofFlag(flag, msg)).join('\n'), requestId, detail, body)
  }
}

/** The option that a field of the configuration came from. */
function flagOf(path: readonly PropertyKey[]): string {
  const name = path.map(String).join('.')
  const flags = {
    benchmarks: 'benchmark',
    'coverage.sample': 'sample',
    'coverage.seed': 'seed',
    'execution.epochs': 'epochs',
    'execution.temperature': 'temperature',
    'execution.top_p': 'top-p',
    'execution.model_seed': 'model-seed',
    'execution.concurrency': 'concurrency',
    evaluators: 'evaluator',
    'execution.evaluators': 'evaluator',
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
