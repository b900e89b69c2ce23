import { Progress } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { type Package, packageChecks, type PackageReview } from '../../contract/creator/packages.schemas.ts'
import { formatBytes } from '../../lib/format/bytes.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { showHidden } from '../../lib/format/visible-text.ts'
import { KeyValues } from '../ui/page/key-values.tsx'
import { Page, PageHeader, Section } from '../ui/page/page-header.tsx'
import { Notice } from '../ui/states/notice.tsx'
import { QueryView } from '../ui/states/query-view.tsx'
import { ExternalAddress } from '../ui/values/external-address.tsx'
import { Identifier } from '../ui/values/copy-button.tsx'
import { RelativeTime } from '../ui/values/figures.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { ChecksTable } from './checks-table.tsx'
import { isBeingChecked, outcomeStatuses, packageStatuses, signatureStatuses } from './creator-words.ts'
import { checksJobQuery, packageQuery, reviewsQuery } from './creator.queries.ts'
import { PackageActions } from './package-actions.tsx'
import { PackageFiles } from './package-files.tsx'
import { PackageProfiles } from './package-profiles.tsx'
import { ReviewSection } from './review-section.tsx'

const parent = { title: 'Creator', to: '/creator' }

export function PackagePage() {
  const { packageId = '' } = useParams()
  const query = useQuery(packageQuery(packageId))
  if (query.data) return <Loaded of={query.data} />
  return (
    <Page>
      <PageHeader title="Package" parent={parent} />
      <QueryView query={query} failure="Couldn’t load the package">
        {() => null}
      </QueryView>
    </Page>
  )
}

function Loaded({ of }: { readonly of: Package }) {
  const reviews = useQuery(reviewsQuery(of))
  return (
    <Page>
      <PageHeader
        title={showHidden(of.title)}
        parent={parent}
        aside={<StatusBadge status={packageStatuses[of.status]} />}
        description={of.manifest?.summary ? <UntrustedText text={of.manifest.summary} layout="prose" /> : null}
        actions={<PackageActions of={of} />}
      />
      {of.status === 'rejected' ? (
        <Notice tone="fail" title="Rejected">
          This version gives no profiles. Correct what failed and upload it again.
        </Notice>
      ) : null}
      {of.quarantined && of.status !== 'withdrawn' ? (
        <Notice tone="warn" title="Quarantined">
          A fault was found. It can’t be quoted until its checks pass again; results of earlier runs stay readable.
        </Notice>
      ) : null}
      {of.status === 'withdrawn' ? (
        <Notice tone="neutral" title="Withdrawn">
          It can’t be quoted any more. Results of earlier runs stay readable.
        </Notice>
      ) : null}
      {of.status === 'in_review' ? <ReviewSection of={of} /> : null}
      {of.profile_ids.length > 0 && of.status !== 'in_review' ? <PackageProfiles of={of} /> : null}
      <QueryView query={reviews} failure="Couldn’t load the checks">
        {all => <Checks of={of} reviews={all} />}
      </QueryView>
      <Section title="About">
        <About of={of} />
      </Section>
      <PackageFiles of={of} />
    </Page>
  )
}

function Checks({ of, reviews }: { readonly of: Package; readonly reviews: readonly PackageReview[] }) {
  const people = reviews.filter(({ kind }) => kind === 'human')
  const automated = latest(reviews.filter(({ kind }) => kind === 'automated'))
  return (
    <>
      {people.length > 0 ? (
        <Section title="Human review">
          {people.map(({ id, outcome, reviewer, detail, at }) => (
            <div key={id}>
              <div className="row">
                <StatusBadge status={outcomeStatuses[outcome]} />
                <span className="quiet">
                  <UntrustedText text={reviewer ?? ''} layout="prose" /> · <RelativeTime at={at} />
                </span>
              </div>
              <UntrustedText text={detail} layout="prose" />
            </div>
          ))}
        </Section>
      ) : null}
      <Section title="Checks" aside={<span className="quiet num">{`${automated.length} of ${packageChecks.length}`}</span>}>
        {isBeingChecked(of) ? <CheckProgress of={of} done={automated.length} /> : null}
        {automated.length > 0 ? <ChecksTable checks={automated} packageId={of.tasks === null ? null : of.id} /> : null}
      </Section>
    </>
  )
}

/** The newest outcome of each check; an interruption counts only until the check has an outcome. @param all newest first */
function latest(all: readonly PackageReview[]): PackageReview[] {
  const reviews = all.filter(
    ({ check, outcome }) => outcome !== 'error' || all.every(one => one.check !== check || one.outcome === 'error'),
  )
  return reviews.filter(({ check }, i) => reviews.findIndex(one => one.check === check) === i)
}

function CheckProgress({ of, done }: { readonly of: Package; readonly done: number }) {
  const job = useQuery({ ...checksJobQuery(of.job_id ?? ''), enabled: of.job_id !== null })
  if (job.data?.state === 'failed')
    return (
      <Notice tone="warn" title="The checks stopped">
        Retry the job in the list of running jobs; finished checks are kept.
      </Notice>
    )
  return (
    <div className="stack" aria-busy>
      <span className="quiet">{job.data?.progress?.message || 'Waiting for a free worker'}</span>
      <Progress value={(100 * done) / packageChecks.length} aria-label="Share of the checks that are done" />
    </div>
  )
}

function About({ of }: { readonly of: Package }) {
  const { manifest } = of
  return (
    <KeyValues
      items={{
        Name: (
          <span className="mono">
            {of.namespace}.{of.name}@{of.version}
          </span>
        ),
        Authors: manifest ? <UntrustedText text={manifest.creators.map(({ name }) => name).join(', ')} layout="prose" /> : null,
        License: manifest ? <UntrustedText text={manifest.license} layout="prose" /> : null,
        Homepage: manifest?.homepage ? <ExternalAddress address={manifest.homepage} /> : null,
        Citation: manifest?.citation ? <UntrustedText text={manifest.citation} layout="prose" /> : null,
        'Taken from': manifest?.derived_from.length ? <UntrustedText text={manifest.derived_from.join(', ')} layout="prose" /> : null,
        Tasks: of.tasks === null ? null : formatCount(of.tasks),
        Size: formatBytes(of.bytes),
        Signature: <StatusBadge status={signatureStatuses[of.signature]} />,
        Digest: <Identifier value={of.sha256} what="SHA-256 digest" shown={16} />,
        Uploaded: (
          <>
            <RelativeTime at={of.created_at} /> by <UntrustedText text={of.uploaded_by} layout="prose" />
          </>
        ),
      }}
    />
  )
}
