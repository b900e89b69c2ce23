import type { CheckedWorld } from '../../contract/worlds/play.schemas.ts'
import { Section } from '../ui/page/page-header.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'

const words = { passed: 'Passes', failed: 'Fails', world_error: 'World error', no_reference: 'No reference' } as const

/** What the replay of each task's reference gave. */
export function WorldChecks({ checked }: { readonly checked: CheckedWorld }) {
  return (
    <Section
      title="Check"
      aside={<span className="quiet small num">{`${checked.passed} of ${checked.tasks.length} references pass`}</span>}
    >
      <ul className="worlds-checks">
        {checked.tasks.map(({ task_id: id, status, explanation }) => (
          <li key={id}>
            <strong>{words[status]}</strong> <code>{id}</code> <UntrustedText text={explanation} layout="prose" />
          </li>
        ))}
      </ul>
    </Section>
  )
}
