import './file-drop.css'
import { Button } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import { useCallback, useRef } from 'react'
import { notifyDone } from '../page/notify.ts'
import { IconFileUpload } from '../pictures/icons.tsx'
import { usePageDrop } from './use-page-drop.ts'

interface FileDropProps {
  /** What belongs here: "Drop JSONL, JSON or CSV files here, or choose them". */
  readonly label: string
  readonly hint?: string
  readonly multiple?: boolean
  readonly disabled?: boolean
  /** Whether a whole folder can be chosen, too; one that is dropped is always taken with its files. */
  readonly folders?: boolean
  readonly onFiles: (files: File[]) => void
}

/**
 * Takes files by click, by keyboard and by a drop anywhere in the window. The service decides what they are; their names prove nothing.
 */
export function FileDrop({ label, hint, multiple = true, disabled = false, folders = false, onFiles }: FileDropProps) {
  const zone = useRef<HTMLDivElement>(null)
  const dropBeside = useCallback(
    ({ dataTransfer }: DragEvent) => {
      if (disabled) notifyDone('No files can be added now. Drop them again when the field above is ready.')
      // The zone reads folders, too, as long as the event lasts.
      else zone.current?.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
    },
    [disabled],
  )
  const over = usePageDrop(dropBeside)
  const drop = (
    <Dropzone
      ref={zone}
      className="file-drop"
      mod={{ over }}
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
  if (!folders) return drop
  return (
    <>
      {drop}
      <div>
        <Button variant="default" size="compact-sm" disabled={disabled} onClick={() => chooseFolder(onFiles)}>
          Choose a folder
        </Button>
      </div>
    </>
  )
}

/** Opens the system's dialog for folders. Files that systems and interpreters keep for themselves are left out. */
function chooseFolder(onFiles: FileDropProps['onFiles']): void {
  const input = document.createElement('input')
  input.type = 'file'
  input.webkitdirectory = true
  input.addEventListener('change', () => {
    const isOfSystem = (part: string): boolean => part.startsWith('.') || part === '__MACOSX' || part === '__pycache__'
    onFiles([...(input.files ?? [])].filter(file => !file.webkitRelativePath.split('/').some(isOfSystem)))
  })
  input.click()
}
