import { type FetchProgress, fetchMedia, mediaLane, mediaWay } from '../catalog/index.ts'
import type { JobContext, JobHandler } from '../jobs/index.ts'
import type { Kernel } from '../kernel.ts'
import type { AnswersDependencies } from './answers.service.ts'
import { saveAnswerImport, type StoredAnswerImport } from './answers.store.ts'
import { type AnswerImportInput, answerOrder, mediaFolder, readImport } from './answer-order.ts'

/** Downloads the media that the samples of a log name, at hosts that the form names; the import itself follows. */
export function fetchAnswerMediaJob(
  kernel: Kernel,
  { jobs, workers, network, keptDownloads }: AnswersDependencies,
  importing: JobHandler<AnswerImportInput>,
  folderOf: (id: string) => string,
): JobHandler<AnswerImportInput> {
  const { db } = kernel
  /** Addresses that the yes covers; files with a fault have none, since the import says what it is. */
  const addressesIn = async (stored: StoredAnswerImport, job: JobContext<AnswerImportInput>): Promise<readonly string[]> => {
    let addresses: readonly string[] = []
    const order = answerOrder(stored, folderOf(stored.record.id), null)
    const nothing = (): never => {
      throw new Error('Unexpected answers.')
    }
    await workers.readAnswers(
      { order, version: null, remote: { allowed: stored.form.fetch_media ?? {}, folder: null } },
      {
        opened: found => {
          if (found.facts.problemCount === 0) addresses = found.addresses
          return null
        },
        tasks: nothing,
        answers: nothing,
        groupEnd: nothing,
      },
      job.signal,
    )
    return addresses
  }
  return {
    ...importing,
    kind: 'answer_import_media',
    ...mediaLane,
    run: async job => {
      const stored = readImport(db, job.input.import_id)
      const { workspaceId, record } = stored
      const addresses = await addressesIn(stored, job)
      const publish = ({ file_number: number, file_count: count }: FetchProgress): void =>
        job.progress({ done: number - 1, total: count, message: 'Downloading media' })
      const folder = mediaFolder(folderOf(record.id))
      await keptDownloads.adopt(workspaceId, folder, addresses, job.signal)
      await fetchMedia(addresses, folder, mediaWay(kernel, network, workspaceId), publish, job.signal)
      job.signal.throwIfAborted()
      return () => {
        const { owner, subject, input } = job
        saveAnswerImport(db, { ...record, job_id: jobs.enqueue('answer_import', { workspaceId, owner, subject, input }) })
      }
    },
  }
}
