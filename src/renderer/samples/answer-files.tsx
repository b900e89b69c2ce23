import { Fragment } from 'react'
import type { SampleDetail } from '../../contract/runs/samples.schemas.ts'
import { storedFiles } from '../../lib/answered-files.ts'
import { shownType } from '../media/shown-type.ts'
import { Section } from '../ui/page/page-header.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { InlineFile } from './inline-file.tsx'

/** What an answer holds beside its text, read from the response as it is stored; scorers are given the text alone. */
export function AnswerFiles({ attempts }: { readonly attempts: SampleDetail['attempt_log'] }) {
  const last = attempts.at(-1)
  if (!last?.notes.some(({ code }) => code === 'answer_holds_files')) return null
  const files = storedFiles(last.response ?? '')
  const shown = files.flatMap(({ base64, transcript }) => (base64 === null || shownType(base64) === null ? [] : [{ base64, transcript }]))
  return (
    <Section title="Files of the answer">
      {shown.map(({ base64, transcript }, i) => (
        // oxlint-disable-next-line react/no-array-index-key -- a stored response never changes
        <Fragment key={i}>
          <InlineFile base64={base64} name={kind => `${kind} ${i + 1} of the answer`} />
          {transcript === undefined ? null : <UntrustedText text={transcript} layout="prose" />}
        </Fragment>
      ))}
      {shown.length < files.length || files.length === 0 ? (
        <p className="quiet samples-note">{`${files.length === 0 ? 'The' : files.length - shown.length} files that cannot be shown here are in the response of the last attempt.`}</p>
      ) : null}
      <p className="quiet small samples-note">Not graded: scorers are given the text.</p>
    </Section>
  )
}
