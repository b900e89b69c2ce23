import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import type { Run } from '../../contract/runs/runs.schemas.ts'
import { ExportButton } from '../ui/page/export-button.tsx'
import { notifyFailed } from '../ui/page/notify.ts'
import { useAddress } from '../ui/table/use-address.ts'
import { exportFileName, type ExportFormat } from './export-file-name.ts'
import { formatsNote, offeredFormats, saveAs } from './export-formats.ts'
import { prepareExport } from './prepare-export.tsx'
import { chosenVersion } from './result-versions.ts'

/** Saves the shown result version as a file. */
export function ExportMenu({ run, latestVersion }: { readonly run: Run; readonly latestVersion: number }) {
  const { get } = useAddress()
  const [busy, setBusy] = useState(false)
  const version = chosenVersion(get('version'), latestVersion)
  const save = async (format: ExportFormat): Promise<void> => {
    setBusy(true)
    const name = exportFileName(run, version, format)
    const id = notifications.show({ message: `Preparing ${name} …`, loading: true, autoClose: false, withCloseButton: false })
    try {
      const saved = (await prepareExport(run, version, format, id, name)) && (await saveAs(run.id, version, format, name))
      if (saved)
        notifications.update({
          id,
          message: <SavedMessage name={name} />,
          loading: false,
          autoClose: window.assay ? 10_000 : 4_000,
          withCloseButton: true,
        })
      else notifications.hide(id)
    } catch (error) {
      notifications.hide(id)
      notifyFailed('The export was not saved', error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <ExportButton formats={offeredFormats()} note={formatsNote} busy={busy} onSave={format => void save(format)}>
      {version === latestVersion ? 'Export' : `Export version ${version}`}
    </ExportButton>
  )
}

/** In the desktop app the file is one click away. */
function SavedMessage({ name }: { readonly name: string }) {
  const desktop = window.assay
  const open = async (): Promise<void> => {
    const problem = await desktop?.openSaved()
    if (problem) notifyFailed('The file was not opened', new Error(problem))
  }
  return (
    <>
      Saved {name}.{' '}
      {desktop ? (
        <Button size="compact-xs" variant="default" onClick={() => void open()}>
          Open
        </Button>
      ) : null}
    </>
  )
}
