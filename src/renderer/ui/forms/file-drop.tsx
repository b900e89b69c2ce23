import './file-drop.css'
import { Dropzone } from '@mantine/dropzone'
import { IconFileUpload } from '@tabler/icons-react'

interface FileDropProps {
  /** What belongs here: "Drop JSONL, JSON or CSV files here, or choose them". */
  readonly label: string
  readonly hint?: string
  readonly multiple?: boolean
  readonly disabled?: boolean
  readonly onFiles: (files: File[]) => void
}

/** Takes files by drop, by click and by keyboard. The service decides what they are; their names prove nothing. */
export function FileDrop({ label, hint, multiple = true, disabled = false, onFiles }: FileDropProps) {
  return (
    <Dropzone
      className="file-drop"
      onDrop={onFiles}
      multiple={multiple}
      disabled={disabled}
      inputProps={{ 'aria-label': label }}
      aria-label={label}
      activateOnKeyboard
    >
      <div className="row" style={{ pointerEvents: 'none', flexWrap: 'nowrap' }}>
        <IconFileUpload size={24} style={{ flexShrink: 0 }} aria-hidden />
        <div>
          <div>{label}</div>
          {hint ? <div className="quiet small">{hint}</div> : null}
        </div>
      </div>
    </Dropzone>
  )
}
