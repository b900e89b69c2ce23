import { useQueryClient } from '@tanstack/react-query'
import type { AnswerImport, AnswerImportForm } from '../../contract/answers/answers.schemas.ts'
import { importMachine } from '../../contract/catalog/import.machine.ts'
import { isTerminal } from '../../contract/machine.ts'
import { call } from '../api/client.ts'
import { upload } from '../api/upload.ts'
import type { Sent } from '../catalog/blocked-import.ts'
import { filePrints, useUploadedWork } from '../api/uploaded-work.ts'

export type AnswerFields = Omit<AnswerImportForm, 'dry_run'>

export type AnswersAttempt = ReturnType<typeof useAnswersImport>

/** One import of outputs, dry or real. A real one shows its record while it is under way. */
export function useAnswersImport(form: 'preview' | 'import') {
  const client = useQueryClient()
  const work = useUploadedWork<Sent<AnswerFields>, AnswerImport>(`answers.${form}`, {
    start: ({ fields, files }, { headersFor, ...how }) =>
      upload('importAnswers', {
        fields: { ...fields, dry_run: form === 'preview' },
        files,
        headers: headersFor(fields, filePrints(files)),
        ...how,
      }),
    read: ({ id }, signal) => call('getAnswerImport', { params: { answer_import_id: id } }, { signal }),
    hasEnded: ({ status }) => isTerminal(importMachine, status),
    onEnd: ({ status }) => {
      if (status === 'imported') void client.invalidateQueries()
    },
  })
  return { ...work, record: (form === 'import' ? work.underWay : null) ?? work.record }
}
