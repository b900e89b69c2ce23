import type { DraftedWorld, LeftOut } from '../../contract/worlds/play.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { Section } from '../ui/page/page-header.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'

/** Entries of a list that are shown; the rest is counted. */
const mostListed = 100

/** What the recording lacks and what was replaced, before anything is saved. */
export function DraftNotes({ draft }: { readonly draft: DraftedWorld }) {
  const passed = draft.tasks.filter(({ status }) => status === 'passed').length
  // Of many tasks, those come first that need a look.
  const tasks = [...draft.tasks].sort((a, b) => Number(a.status === 'passed') - Number(b.status === 'passed'))
  return (
    <>
      <LeftOutSection left={draft.left_out} />
      <Section
        title={draft.replaced ? 'Replay of the recording' : 'Replay of the references'}
        aside={<span className="quiet small num">{`${formatCount(passed)} of ${formatCount(draft.tasks.length)} tasks pass`}</span>}
      >
        <ul className="worlds-checks">
          {tasks.slice(0, mostListed).map(({ task_id: id, status, explanation, notes }) => (
            <li key={id}>
              <strong>{statusWords[status]}</strong> {tasks.length > 1 ? <UntrustedText text={`${id}:`} layout="prose" /> : null}{' '}
              <UntrustedText text={explanation} layout="prose" />
              {notes.length > 0 ? (
                <ul>
                  {notes.map(note => (
                    <li key={note}>
                      <UntrustedText text={note} layout="prose" />
                    </li>
                  ))}
                </ul>
              ) : null}
            </li>
          ))}
        </ul>
        {tasks.length > mostListed ? <p className="quiet">{`${formatCount(tasks.length - mostListed)} more tasks.`}</p> : null}
        {draft.replaced ? <p className="quiet">{describeReplaced(draft.replaced)}</p> : null}
      </Section>
    </>
  )
}

const statusWords: Readonly<Record<DraftedWorld['tasks'][number]['status'], string>> = {
  passed: 'Passes',
  failed: 'Not reproducible',
  world_error: 'Not reproducible',
  no_reference: 'Not replayed',
}

function describeReplaced({ secrets, personal }: NonNullable<DraftedWorld['replaced']>): string {
  const replaced = [
    ...(secrets > 0 ? [`${secrets} ${secrets === 1 ? 'secret' : 'secrets'}`] : []),
    ...(personal > 0 ? [`${personal} contact ${personal === 1 ? 'detail' : 'details'}`] : []),
  ]
  return replaced.length === 0 ? 'No secrets or contact details were found.' : `Replaced: ${replaced.join(', ')}.`
}

/** The part of the source that the world does not hold, by name. */
export function LeftOutSection({ left }: { readonly left: readonly LeftOut[] }) {
  if (left.length === 0) return null
  return (
    <Section title="Left out" aside={<span className="quiet small num">{formatCount(left.length)}</span>}>
      <ul className="worlds-checks">
        {left.slice(0, mostListed).map(({ id, name, reason }, i) => (
          // oxlint-disable-next-line react/no-array-index-key -- a name may be left out for several reasons
          <li key={`${id ?? name} ${i}`}>
            <UntrustedText text={name} layout="prose" /> <UntrustedText text={reason} layout="prose" />
          </li>
        ))}
      </ul>
      {left.length > mostListed ? <p className="quiet">{`${formatCount(left.length - mostListed)} more.`}</p> : null}
    </Section>
  )
}
