import { examinePages } from '../storage/examine-pages.ts'

export interface ExamineTask {
  readonly path: string
}

/** What is wrong with the database; nothing when it is sound. */
export default function examine({ path }: ExamineTask): string[] {
  return examinePages(path)
}
