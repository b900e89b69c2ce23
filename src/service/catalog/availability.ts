import type { QuoteAvailability } from '../../contract/catalog/benchmarks.schemas.ts'
import { playableFamily } from '../../engine/execution/environments/families/families.ts'
import { hasFunctions } from '../../engine/execution/environments/worlds/world-family.ts'
import type { Language } from '../../engine/grading/sandbox/tier.ts'
import { evaluatorScorer } from '../../engine/execution/scheduler/ports.ts'
import { codeLanguages, codeScorers } from '../../engine/grading/scorers/code/code-scorers.ts'
import { scorers } from '../../engine/grading/scorers/registry.ts'
import type { ProfileDefinition } from '../../engine/tasks/definition.ts'
import { fetchedFiles, type Recipe } from '../../engine/importing/recipes/recipe.ts'

const ready: QuoteAvailability = { status: 'ready_for_quote', reasons: [] }

/** What is there of a benchmark's data. */
interface PresentData {
  readonly tasks: number
  readonly shots: number
}

/** Why code of these languages cannot run on this machine, and what to do, or that it is not known yet; null when it can, and for no language. */
export type MissingSandbox = (languages: readonly Language[]) => MissingRunner | null

interface MissingRunner {
  readonly status: 'runner_unavailable' | 'checking'
  readonly reason: string
}

/**
 * @param data null while there is no version
 */
export function profileAvailability(
  profile: ProfileDefinition,
  status: 'candidate' | 'active' | 'quarantined' | 'retired',
  data: PresentData | null,
  recipe: Recipe | null,
  noSandbox: MissingSandbox,
): QuoteAvailability {
  if (status === 'quarantined') return { status, reasons: ['The benchmark is in quarantine while a doubt about its data is looked into.'] }
  if (status === 'retired') return { status, reasons: ['The benchmark is retired. Its results stay readable.'] }
  const missing = missingData(profile, data, recipe)
  const cannotRun = missingRunner(profile, noSandbox)
  if (cannotRun?.status === 'runner_unavailable')
    return { status: cannotRun.status, reasons: missing ? [cannotRun.reason, missing] : [cannotRun.reason] }
  if (cannotRun && !missing) return { status: cannotRun.status, reasons: [cannotRun.reason] }
  return missing ? { status: 'data_required', reasons: [missing] } : ready
}

/** The best of several: a benchmark is as ready as its readiest profile. */
export function bestAvailability(of: readonly QuoteAvailability[]): QuoteAvailability {
  const order = ['ready_for_quote', 'checking', 'data_required', 'runner_unavailable', 'quarantined', 'retired'] as const
  const [best] = [...of].sort((a, b) => order.indexOf(a.status) - order.indexOf(b.status))
  return best ?? { status: 'data_required', reasons: ['The benchmark has no profile.'] }
}

/** Whether grading runs what the model wrote, or its world runs functions, and so needs a sandbox. */
export function runsCode({ metrics, environment }: Pick<ProfileDefinition, 'metrics' | 'environment'>): boolean {
  return codeLanguages(metrics).length > 0 || (environment?.world !== undefined && hasFunctions(environment.world))
}

function missingRunner({ metrics, environment }: ProfileDefinition, noSandbox: MissingSandbox): MissingRunner | null {
  if (environment && !playableFamily(environment))
    return unavailable(`The environment "${environment.family}" is not part of this version.`)
  const cannotRun = noSandbox(environment?.world && hasFunctions(environment.world) ? ['javascript'] : codeLanguages(metrics))
  if (cannotRun !== null) return cannotRun
  const unknown = metrics.find(
    metric => metric.scorer !== evaluatorScorer && !scorers.has(metric.scorer) && !codeScorers.has(metric.scorer),
  )
  return unknown ? unavailable(`The scorer "${unknown.scorer}" is not part of this version.`) : null
}

function unavailable(reason: string): MissingRunner {
  return { status: 'runner_unavailable', reason }
}

function missingData(profile: ProfileDefinition, data: PresentData | null, recipe: Recipe | null): string | null {
  if (!data || data.tasks === 0) return recipe ? howToGet(recipe) : 'There are no tasks in this split.'
  if (data.shots >= profile.shots) return null
  return `Its ${profile.shots} worked examples are missing. Import the benchmark again together with the file that holds them; that makes a new version.`
}

function howToGet(recipe: Recipe): string {
  const { definition, files } = recipe
  const required = files.filter(file => file.required)
  const wanted = required.length > 0 ? required.map(file => file.fileName).join(' and ') : `one or more of its ${files.length} files`
  const download = fetchedFiles(recipe).length > 0 ? ', or have the recipe download it' : ''
  return `Data not imported. Get ${wanted} from ${definition.homepage ?? 'upstream'} and import it with the recipe "${definition.slug}"${download}.`
}
