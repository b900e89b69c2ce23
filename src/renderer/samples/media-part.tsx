import '../media/media.css'
import { Button, Modal } from '@mantine/core'
import { useState } from 'react'
import type { MediaDigest, MediaPart, Part } from '../../contract/messages/messages.schemas.ts'
import { saveFile } from '../api/download.ts'
import { useMediaUrl } from '../media/use-media-url.ts'
import { notifyFailed } from '../ui/page/notify.ts'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'

const kinds = { image: 'Image', audio: 'Audio', document: 'Document' } as const

/** Which of several files of its kind a part is, for those who cannot see it. */
export function placeAmong(files: readonly Part[], part: Part): string {
  const alike = files.filter(({ type }) => type === part.type)
  return alike.length > 1 ? ` ${alike.indexOf(part) + 1}` : ''
}

interface MediaPartProps {
  readonly part: MediaPart
  /** Behind the kind of file, for those who cannot see it: ` of the task`. */
  readonly of: string
}

/** A media part: an image that can be enlarged, audio that plays, a document that opens apart; and its bytes to be saved. */
export function MediaPartView({ part, of }: MediaPartProps) {
  // Of an image a small picture: a message may show a hundred, of 20 MB each. Anything else is the file itself.
  const { url, error, isMissing, retry } = useMediaUrl(part.media, '512')
  const described = part.type === 'image' ? part.alt : part.type === 'audio' ? part.transcript : part.title
  const save = (): void => {
    saveFile('getMedia', { params: { digest: part.media } }, null).catch((error: unknown) => notifyFailed('Couldn’t save the file', error))
  }
  return (
    <figure className="stack samples-media">
      {isMissing ? <p className="samples-note quiet">The file is missing from this installation.</p> : null}
      {error && !isMissing ? (
        <p className="samples-note quiet">
          The file couldn’t be loaded. {error.message}{' '}
          <Button variant="default" size="compact-sm" onClick={retry}>
            Try again
          </Button>
        </p>
      ) : null}
      {url === null ? null : <Shown part={part} url={url} of={of} />}
      <figcaption className="row">
        <span className="small">{kinds[part.type]}</span>
        {described === undefined ? null : <UntrustedText text={described} layout="inline" />}
        <code className="quiet small">{part.media.slice(0, 19)}…</code>
        {part.type === 'document' && url !== null && !window.assay ? (
          <Button component="a" href={url} target="_blank" rel="noopener noreferrer" variant="default" size="compact-sm">
            Open
          </Button>
        ) : null}
        <Button variant="default" size="compact-sm" disabled={isMissing} onClick={save}>
          Download
        </Button>
      </figcaption>
    </figure>
  )
}

function Shown({ part, url, of }: MediaPartProps & { readonly url: string }) {
  if (part.type === 'document') return null
  if (part.type === 'audio') return <Recording url={url} name={part.transcript ?? `Audio${of}`} />
  return <Picture url={url} alt={part.alt ?? `Image${of}`} whole={part.media} />
}

/** What it says is in the caption, where that is known. */
export function Recording({ url, name }: { readonly url: string; readonly name: string }) {
  const [broken, setBroken] = useState<string | null>(null)
  return broken === url ? (
    <p className="samples-note quiet">This recording can’t be played. The file is damaged, or this browser can’t read it.</p>
  ) : (
    // oxlint-disable-next-line jsx-a11y/media-has-caption
    <audio controls src={url} aria-label={name} onError={() => setBroken(url)} />
  )
}

/** Characters of a description over an enlarged picture. */
const longestTitle = 200

interface PictureProps {
  readonly url: string
  readonly alt: string
  /** The file that is shown enlarged; absent: the same. */
  readonly whole?: MediaDigest
}

export function Picture({ url, alt, whole }: PictureProps) {
  const [isEnlarged, setEnlarged] = useState(false)
  const [broken, setBroken] = useState<string | null>(null)
  if (broken === url)
    return <p className="samples-note quiet">This image can’t be displayed. The file is damaged, or this browser can’t read it.</p>
  const title = alt.length > longestTitle ? `${alt.slice(0, longestTitle)}…` : alt
  return (
    <>
      <button type="button" className="media-image" onClick={() => setEnlarged(true)} aria-label={`Enlarge: ${title}`}>
        <img src={url} alt={alt} onError={() => setBroken(url)} />
      </button>
      <Modal opened={isEnlarged} onClose={() => setEnlarged(false)} title={title} size="auto" closeButtonProps={{ 'aria-label': 'Close' }}>
        {whole === undefined ? <img className="media-zoom" src={url} alt={alt} /> : <Whole digest={whole} small={url} alt={alt} />}
      </Modal>
    </>
  )
}

/** The small picture until the file itself is there. */
function Whole({ digest, small, alt }: { readonly digest: MediaDigest; readonly small: string; readonly alt: string }) {
  const { url, error } = useMediaUrl(digest)
  const [broken, setBroken] = useState<string | null>(null)
  const isShown = url !== null && broken !== url
  return (
    <>
      <img className="media-zoom" src={isShown ? url : small} alt={alt} onError={() => setBroken(url)} />
      {error ? <p className="samples-note quiet">Shown small: couldn’t load the file itself.</p> : null}
      {url !== null && !isShown ? <p className="samples-note quiet">Shown small: this browser can’t read the file itself.</p> : null}
    </>
  )
}
