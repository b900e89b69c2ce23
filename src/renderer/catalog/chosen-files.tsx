import { formatBytes } from '../../lib/format/bytes.ts'
import { pathOf } from '../api/upload.ts'
import { IconButton } from '../ui/forms/icon-button.tsx'
import { IconX } from '../ui/pictures/icons.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'

interface ChosenFilesProps {
  readonly files: readonly File[]
  readonly onRemove: (file: File) => void
  readonly note?: (file: File) => string
}

export function ChosenFiles({ files, onRemove, note }: ChosenFilesProps) {
  return (
    <ul style={{ listStyle: 'none', margin: 0, padding: 0 }}>
      {files.map(file => (
        <li key={`${pathOf(file)} ${file.size} ${file.lastModified}`} className="row">
          <UntrustedText text={pathOf(file)} layout="inline" />
          <span className="quiet small num">
            {formatBytes(file.size)}
            {note ? `, ${note(file)}` : ''}
          </span>
          <IconButton icon={IconX} iconSize={14} label={`Remove ${pathOf(file)}`} size="sm" onClick={() => onRemove(file)} />
        </li>
      ))}
    </ul>
  )
}
