import './worlds.css'
import { Textarea, TextInput } from '@mantine/core'
import { type ReactNode, useMemo, useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import type { DraftedWorld } from '../../contract/worlds/play.schemas.ts'
import { type NewWorld, WorldDefinition } from '../../contract/worlds/worlds.schemas.ts'
import { formatBytes } from '../../lib/format/bytes.ts'
import { messageOf } from '../../lib/message-of.ts'
import { environmentAddress } from '../catalog/catalog-links.ts'
import { textField } from '../ui/forms/fields.ts'
import { ReasonedButton } from '../ui/forms/reasoned-button.tsx'
import { Page, PageHeader, Section } from '../ui/page/page-header.tsx'
import { RequestMenu } from '../ui/page/request-menu.tsx'
import { EmptyState } from '../ui/states/empty-state.tsx'
import { Notice } from '../ui/states/notice.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { QueryView } from '../ui/states/query-view.tsx'
import { useAddress } from '../ui/table/use-address.ts'
import { firstWorld } from './first-world.ts'
import { TryWorldSection } from './try-world.tsx'
import { DraftNotes } from './draft-notes.tsx'
import { WorldDraftView } from './world-draft-view.tsx'
import { WorldChecks } from './world-checks.tsx'
import { useCheckWorld, useLatestWorld, useSaveWorld, useWorldDraft } from './worlds.queries.ts'

/** Characters that a text field takes without delay. */
const mostEdited = 1024 * 1024

const parent = { title: 'Environments', to: '/catalog/environments' }

/** A world as text: a new one, one made of traces (`?traces=`), one drafted in the background (`?draft=`), or the next version of one that is there. */
export function WorldEditorPage() {
  const { slug = null } = useParams()
  const { get } = useAddress()
  const traceIds = (get('traces') ?? '').split(',').filter(id => id !== '')
  const latest = useLatestWorld(slug)
  const draft = useWorldDraft(slug === null ? traceIds : [])
  if (slug !== null)
    return (
      <Page>
        <QueryView query={latest} failure="Couldn’t load the environment" header={<PageHeader title="Edit environment" parent={parent} />}>
          {world =>
            world ? (
              <Editor title={`Edit ${world.title}`} slug={world.slug} previousId={world.id} definition={world.definition} draft={null} />
            ) : (
              <EmptyState title="This environment ships with Assay and can’t be edited" />
            )
          }
        </QueryView>
      </Page>
    )
  const draftId = get('draft')
  if (slug === null && draftId)
    return (
      <Page>
        <WorldDraftView id={draftId}>
          {(made, choice) => (
            <Editor
              key={made.slug}
              title="New test"
              slug={made.slug}
              previousId={null}
              definition={made.definition}
              draft={made}
              choice={choice}
            />
          )}
        </WorldDraftView>
      </Page>
    )
  if (traceIds.length > 0)
    return (
      <Page>
        <QueryView query={draft} failure="Couldn’t make a test of the trace" header={<PageHeader title="New test" parent={parent} />}>
          {made => <Editor title="New test" slug={made.slug} previousId={null} definition={made.definition} draft={made} />}
        </QueryView>
      </Page>
    )
  return (
    <Page>
      <Editor title="New environment" slug="my-environment" previousId={null} definition={firstWorld} draft={null} />
    </Page>
  )
}

interface EditorProps {
  readonly title: string
  readonly slug: string
  readonly previousId: string | null
  readonly definition: WorldDefinition
  readonly draft: DraftedWorld | null
  /** Among the environments of a draft. */
  readonly choice?: ReactNode
}

function Editor({ title, slug: firstSlug, previousId, definition, draft, choice }: EditorProps) {
  const navigate = useNavigate()
  const [slug, setSlug] = useState(firstSlug)
  const [text, setText] = useState(() => JSON.stringify(definition, null, 2))
  const save = useSaveWorld()
  const check = useCheckWorld()
  const read = useMemo(() => readDefinition(text), [text])
  const blocked = read.problem ?? (slug.trim() === '' ? 'Enter a slug.' : null)
  const submit = (): void => {
    if (!read.definition) return
    const body: NewWorld = { slug: slug.trim(), ...(previousId !== null && { previous_version_id: previousId }), ...read.definition }
    save.mutate(body, { onSuccess: made => void navigate(environmentAddress(made.slug)) })
  }
  return (
    <>
      <PageHeader
        title={title}
        parent={parent}
        description={
          draft
            ? `${draft.replaced ? 'Recorded tool calls answer as they did. ' : ''}Edit what is expected, then save.`
            : 'Tools, state, users and tasks as JSON. Each save is an immutable version.'
        }
        actions={
          <>
            <RequestMenu operation="createEnvironment" request={{ body: { slug, ...(read.definition ?? definition) } }} />
            <ReasonedButton
              blocked={read.problem}
              variant="default"
              loading={check.isPending}
              onClick={() => read.definition && check.mutate(read.definition)}
            >
              Check
            </ReasonedButton>
            <ReasonedButton blocked={blocked} loading={save.isPending} onClick={submit}>
              Save
            </ReasonedButton>
          </>
        }
      />
      {choice}
      {save.error ? <ErrorState error={save.error} title="The environment was not saved" /> : null}
      {check.error ? <ErrorState error={check.error} title="The check failed" /> : null}
      {draft ? <DraftNotes draft={draft} /> : null}
      {check.data ? <WorldChecks checked={check.data} /> : null}
      <div className="stack">
        <TextInput
          label="Slug"
          description="Names the environment in addresses and the API"
          w={320}
          disabled={previousId !== null}
          {...textField(slug, setSlug)}
        />
        {text.length > mostEdited ? (
          <Notice tone="neutral" title="Too large to edit here">
            {`The definition has ${formatBytes(text.length)}. Save it as it is, or edit it as files with “assay world draft”.`}
          </Notice>
        ) : (
          <Textarea
            label="Definition"
            description="JSON"
            autosize
            minRows={16}
            maxRows={32}
            spellCheck={false}
            classNames={{ input: 'worlds-source' }}
            error={read.problem}
            {...textField(text, setText)}
          />
        )}
      </div>
      {read.definition ? (
        <TryWorldSection definition={read.definition} />
      ) : (
        <Section title="Try it yourself">
          <p className="quiet">Correct the definition first.</p>
        </Section>
      )}
    </>
  )
}

interface ReadDefinition {
  readonly definition: WorldDefinition | null
  /** For people; null where it can be read. */
  readonly problem: string | null
}

function readDefinition(text: string): ReadDefinition {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return { definition: null, problem: `Not valid JSON: ${messageOf(error)}` }
  }
  const parsed = WorldDefinition.safeParse(value)
  if (parsed.success) return { definition: parsed.data, problem: null }
  const [issue] = parsed.error.issues
  return {
    definition: null,
    problem: issue ? `${issue.path.map(String).join('.') || 'The definition'}: ${issue.message}` : 'Not a definition.',
  }
}
