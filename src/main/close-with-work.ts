import { type BrowserWindow, dialog } from 'electron'
import { type Closing, closingChoices, type Settings } from './settings.ts'
import type { Work } from './watch-runs.ts'

/** What closing means now. `cancel-closing` leaves everything as it is. */
export type ClosingAnswer = Closing | 'cancel-closing'

const cancelButton = closingChoices.length

/** Asks what to do on closing with the runs that are working, unless the answer is remembered. */
export async function askWhatClosingDoes(
  window: BrowserWindow,
  { runs }: Work,
  settings: Pick<Settings, 'closing' | 'setClosing'>,
): Promise<ClosingAnswer> {
  const remembered = settings.closing()
  if (remembered !== null) return remembered
  const { response, checkboxChecked } = await dialog.showMessageBox(window, {
    type: 'question',
    message: runs === 1 ? 'A run is working' : `${runs} runs are working`,
    detail: 'Paused runs resume when Assay starts again. Cancelled runs keep the results that they have.',
    buttons: ['Keep running in the tray', 'Pause and quit', runs === 1 ? 'Cancel the run and quit' : 'Cancel runs and quit', 'Don’t quit'],
    defaultId: 0,
    cancelId: cancelButton,
    checkboxLabel: 'Don’t ask again',
    checkboxChecked: false,
    noLink: true,
  })
  const answer = closingChoices[response]
  if (answer === undefined) return 'cancel-closing'
  if (checkboxChecked) settings.setClosing(answer)
  return answer
}
