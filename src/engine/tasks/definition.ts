import type { Generation, Metric, Runner } from '../../contract/catalog/benchmarks.schemas.ts'
import type { UserModel, WorldDefinition, WorldTool } from '../../contract/worlds/worlds.schemas.ts'
import { groupOf, type Shot, type Task } from './task.ts'

/** A runnable setting of a benchmark, before it is bound to a version. */
export interface ProfileDefinition {
  /** Last part of the profile id, e.g. `zero-shot`. */
  readonly key: string
  readonly title: string
  readonly summary: string
  readonly split: 'test' | 'canonical'
  /** The tasks of the split that it asks, by a metadata key among its `breakdowns`; absent where it asks all. */
  readonly only?: { readonly by: string; readonly values: readonly string[] } | undefined
  readonly systemPrompt: string | null
  /** Before the worked examples in the user message, with a task's fields like `promptTemplate`; absent where there is none. */
  readonly introTemplate?: string | undefined
  /** User message of a task; `{field}` stands for a task's field. */
  readonly promptTemplate: string
  /** One worked example in the user message, before the task; null when the profile has no examples. */
  readonly shotTemplate: string | null
  /** Worked examples to put before each task. */
  readonly shots: number
  /** Worked examples are turns of the conversation: `promptTemplate` asks each, `shotTemplate` is its answer. Absent: text before the task. */
  readonly shotsAs?: 'turns' | undefined
  /** Metadata of a task that names its group, where each task is shown the examples of its own group, e.g. `subject`. */
  readonly shotsBy?: string | undefined
  readonly generation: Generation
  /** Exactly one is primary. */
  readonly metrics: readonly Metric[]
  readonly requires: readonly string[]
  readonly chanceLevel: number | null
  /** Metadata keys by which results are broken down, e.g. `subject`. */
  readonly breakdowns: readonly string[]
  /** How its tasks are played turn after turn; absent where a task is one question. */
  readonly environment?: EnvironmentSetting | undefined
  /**
   * Present where the model does not answer: the likelihood of each choice as a continuation of the prompt is measured, one call a
   * choice. `most` is the largest number of choices of a task. With `letters` the prompt names the choices by letter, and the letters
   * are what is measured.
   */
  readonly loglikelihood?:
    | {
        readonly most: number
        readonly letters?: boolean | undefined
        /** Between the prompt and what is measured; a space where absent. */
        readonly delimiter?: string | undefined
        /** Each choice is measured without the prompt, too, where the model can do that. */
        readonly unconditional?: boolean | undefined
      }
    | undefined
}

/** What a benchmark is, whatever its data. */
export interface BenchmarkDefinition {
  readonly slug: string
  readonly provider: string
  readonly name: string
  readonly title: string
  readonly summary: string
  readonly description: string
  readonly howMade: string
  readonly knownLimits: readonly string[]
  readonly runner: Runner
  readonly capabilities: readonly string[]
  readonly license: { readonly name: string; readonly url: string | null }
  readonly citation: string | null
  readonly homepage: string | null
  readonly profiles: readonly ProfileDefinition[]
}

/** The data of one immutable version. */
export interface BenchmarkContent {
  readonly version: string
  readonly tasks: readonly Task[]
  /** Worked examples in their fixed order; a profile takes the first `shots` of them. Empty where there are none. */
  readonly shots: readonly Shot[]
}

/** A benchmark or environment that ships with Assay. */
export interface BundledBenchmark {
  readonly definition: BenchmarkDefinition
  /** Version of `content`. */
  readonly version: string
  /** The same bytes everywhere: read from the version's file, or generated from its seed. */
  content(): BenchmarkContent
}

/** Tasks of a version that a profile asks. */
export type TaskScope = Pick<ProfileDefinition, 'split' | 'only'>

/** Whether a task is of those that a profile asks. */
export function asks({ split, only }: TaskScope, task: Pick<Task, 'split' | 'metadata'>): boolean {
  return task.split === split && (only === undefined || only.values.includes(groupOf(task, only.by)))
}

/** The metadata by which results of a benchmark are broken down, over all its profiles. */
export function facetNames({ profiles }: BenchmarkDefinition): readonly string[] {
  return [...new Set(profiles.flatMap(profile => profile.breakdowns))]
}

/** How a profile plays an environment. */
export interface EnvironmentSetting {
  /** Slug of the family. */
  readonly family: string
  readonly protocol: 'text' | 'native'
  readonly maxTurns: number
  /** Present where the family is a world that a workspace made. */
  readonly world?: PlayedWorld | undefined
}

/** The part of a world that is the same for all its tasks. */
export interface PlayedWorld {
  readonly tools: readonly WorldTool[]
  readonly limits: WorldDefinition['limits']
  /** Plays the simulated users; absent where there are none. */
  readonly user_model?: UserModel | undefined
}
