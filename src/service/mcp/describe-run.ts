import { isTerminal } from '../../contract/machine.ts'
import { runMachine } from '../../contract/runs/run.machine.ts'
import type { Run } from '../../contract/runs/runs.schemas.ts'
import type { Assay } from './tool.ts'
import { untrusted } from './untrusted.ts'

/** What an agent needs of a run. Messages of providers are on the page, not here. */
export function describeRun(run: Run, { pageUrl }: Pick<Assay, 'pageUrl'>): object {
  const { frozen, scored, failed, missing, cancelled, pending, active, failures, seconds_left: secondsLeft } = run.progress
  const final = isTerminal(runMachine, run.status)
  return {
    run_id: run.id,
    status: run.status,
    final,
    profile_ids: run.profiles.map(profile => profile.profile_id),
    samples: { frozen, scored, failed, missing, cancelled, ...(final ? {} : { pending, active }) },
    ...(failures.length ? { failures } : {}),
    ...(final || secondsLeft === null ? {} : { seconds_left: Math.ceil(secondsLeft) }),
    charged_microusd: run.accounting.charged_microusd,
    ...(run.pause
      ? {
          paused: run.pause.code,
          waits_for: run.pause.waits_for,
          next_attempt_at: run.pause.next_attempt_at,
          gives_up_at: run.pause.gives_up_at,
        }
      : {}),
    ...(run.stop_reason ? { stop_reason: run.stop_reason.code } : {}),
    ...(run.regrade ? { regrade: { graded: run.regrade.graded, samples: run.regrade.samples } } : {}),
    result_version: run.result_version,
    ...untrusted({ name: run.name, model: run.model.title }),
    page: pageUrl(`/runs/${run.id}`),
  }
}
