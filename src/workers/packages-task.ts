import type { PackageManifest } from '../contract/creator/manifest.schemas.ts'
import type { MediaFile } from '../contract/media/media.schemas.ts'
import type { SampledTask } from '../contract/creator/packages.schemas.ts'
import type { WorldDefinition } from '../contract/worlds/worlds.schemas.ts'
import type { ScoreInput } from '../engine/grading/scorers/scorer.ts'
import type { PackageFile } from '../engine/importing/packages/open-package.ts'
import type { CheckResult } from '../engine/importing/packages/package-task.ts'
import type { StillCheck } from '../engine/importing/packages/run-check.ts'
import type { BenchmarkDefinition } from '../engine/tasks/definition.ts'
import type { Shot, Task } from '../engine/tasks/task.ts'

/** Answers that need no model, and the right ones: the reference solution, else the target; and the target where there is a solution too. */
export type AnswerKind = 'random' | 'first' | 'majority' | 'empty' | 'echo' | 'reference' | 'target'

/** Tasks to show to a reviewer: those with the ids, or some chosen by a seed. */
type Chosen = { readonly ids: readonly string[] } | { readonly count: number; readonly seed: number }

export type PackageTask =
  | { readonly kind: 'open'; readonly path: string }
  | { readonly kind: 'dry_run'; readonly path: string; readonly workspaceId: string; readonly publicKey: string | null }
  | { readonly kind: 'check'; readonly packageId: string; readonly check: StillCheck }
  | { readonly kind: 'signature'; readonly packageId: string }
  | {
      readonly kind: 'answers'
      readonly packageId: string
      readonly profile: number
      readonly answer: AnswerKind
      readonly from: number
      readonly count: number
    }
  /** @property profile place in the manifest */
  | { readonly kind: 'sample'; readonly packageId: string; readonly profile: number; readonly chosen: Chosen }
  | { readonly kind: 'tasks'; readonly packageId: string }
  | { readonly kind: 'content'; readonly packageId: string }
  | { readonly kind: 'world'; readonly packageId: string }

export interface PackageAnswers {
  readonly open:
    | {
        readonly ok: true
        readonly manifest: PackageManifest
        readonly files: readonly PackageFile[]
        readonly sha256: string
        readonly content: Uint8Array
      }
    | { readonly ok: false; readonly check: 'archive' | 'manifest'; readonly message: string }
  readonly dry_run: { readonly manifest: PackageManifest | null; readonly checks: readonly CheckResult[] }
  readonly check: CheckResult
  readonly signature: 'none' | 'valid' | 'invalid'
  readonly answers: { readonly inputs: readonly { readonly id: string; readonly input: ScoreInput | null }[]; readonly total: number }
  readonly sample: {
    readonly items: readonly { readonly task: Omit<SampledTask, 'reference_result'>; readonly reference: ScoreInput | null }[]
    readonly total: number
  }
  /** Chance of each profile in its order, and the ids of the tasks that profiles ask. */
  readonly tasks: { readonly chances: readonly number[]; readonly ids: readonly string[] }
  readonly content: {
    readonly definition: BenchmarkDefinition
    readonly tasks: readonly Task[]
    readonly shots: readonly Shot[]
    /** What the tasks show; the files are written. */
    readonly media: readonly MediaFile[]
  }
  /** Null where it asks questions. */
  readonly world: WorldDefinition | null
}

export type PackageAnswer<T extends PackageTask> = PackageAnswers[T['kind']]
