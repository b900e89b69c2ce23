import '../media/media.css'
import { Button, Modal } from '@mantine/core'
import { useState } from 'react'
import type { MediaPart } from '../../contract/messages/messages.schemas.ts'
import { saveFile } from '../api/download.ts'
import { useMediaUrl } from '../media/use-media-url.ts'
import { notifyFailed } from '../ui/page/notify.ts'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'

const kinds = { image: 'Image', audio: 'Audio', document: 'Document' } as const

/** A media part: an image that can be enlarged, audio that plays, a document that opens apart; and its bytes to be saved. */
export function MediaPartView({ part }: { readonly part: MediaPart }) {
  const { url, failed } = useMediaUrl(part.media)
  const described = part.type === 'image' ? part.alt : part.type === 'audio' ? part.transcript : part.title
  const save = (): void => {
    saveFile('getMedia', { params: { digest: part.media } }, null).catch((error: unknown) =>
      notifyFailed('The file could not be saved', error),
    )
  }
  return (
    <figure className="stack samples-media">
      {failed ? <p className="samples-note quiet">The file is missing from this installation.</p> : null}
      {url === null ? null : <Shown part={part} url={url} />}
      <figcaption className="row">
        <span className="small">{kinds[part.type]}</span>
        {described === undefined ? null : <UntrustedText text={described} layout="inline" />}
        <code className="quiet small">{part.media.slice(0, 19)}…</code>
        {part.type === 'document' && url !== null && !window.assay ? (
          <Button component="a" href={url} target="_blank" rel="noopener noreferrer" variant="default" size="compact-sm">
            Open
          </Button>
        ) : null}
        <Button variant="default" size="compact-sm" disabled={failed} onClick={save}>
          Download
        </Button>
      </figcaption>
    </figure>
  )
}

function Shown({ part, url }: { readonly part: MediaPart; readonly url: string }) {
  if (part.type === 'document') return null
  // The transcript is in the caption.
  // oxlint-disable-next-line jsx-a11y/media-has-caption
  if (part.type === 'audio') return <audio controls src={url} aria-label={part.transcript ?? 'Audio of the task'} />
  return <Picture url={url} alt={part.alt ?? 'Image of the task'} />
}

export function Picture({ url, alt }: { readonly url: string; readonly alt: string }) {
  const [isEnlarged, setEnlarged] = useState(false)
  return (
    <>
      <button type="button" className="media-image" onClick={() => setEnlarged(true)} aria-label={`Enlarge: ${alt}`}>
        <img src={url} alt={alt} />
      </button>
      <Modal opened={isEnlarged} onClose={() => setEnlarged(false)} title={alt} size="auto" closeButtonProps={{ 'aria-label': 'Close' }}>
        <img className="media-zoom" src={url} alt={alt} />
      </Modal>
    </>
  )
}
