import type { PackageManifest, SampledTask } from '../contract/index.ts'
import type { ScoreInput } from '../engine/grading/scorers/scorer.ts'
import type { PackageFile } from '../engine/importing/packages/open-package.ts'
import type { CheckResult } from '../engine/importing/packages/package-task.ts'
import type { StillCheck } from '../engine/importing/packages/run-check.ts'
import type { BenchmarkDefinition } from '../engine/tasks/definition.ts'
import type { Shot, Task } from '../engine/tasks/task.ts'

/** Answers that need no model, and the package's own reference. */
export type AnswerKind = 'random' | 'first' | 'majority' | 'empty' | 'echo' | 'reference'

export type PackageTask =
  | { readonly kind: 'open'; readonly path: string }
  | { readonly kind: 'dry_run'; readonly path: string; readonly workspaceId: string; readonly publicKey: string | null }
  | { readonly kind: 'check'; readonly packageId: string; readonly check: StillCheck }
  | { readonly kind: 'signature'; readonly packageId: string }
  | { readonly kind: 'answers'; readonly packageId: string; readonly answer: AnswerKind; readonly from: number; readonly count: number }
  | { readonly kind: 'sample'; readonly packageId: string; readonly count: number; readonly seed: number }
  | { readonly kind: 'content'; readonly packageId: string }

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
  readonly sample: { readonly items: SampledTask[]; readonly total: number }
  readonly content: {
    readonly definition: BenchmarkDefinition
    readonly tasks: readonly Task[]
    readonly shots: readonly Shot[]
    readonly chance: number
  }
}

export type PackageAnswer<T extends PackageTask> = PackageAnswers[T['kind']]
