import type { answersEndpoints } from '../../contract/answers/answers.endpoints.ts'
import type { Handlers } from '../http/handler.ts'
import type { Answers } from './answers.service.ts'

export function answersHandlers(answers: Answers): Handlers<typeof answersEndpoints> {
  return {
    importAnswers: (context, parts) => answers.create(context, parts),
    listAnswerImports: ({ workspaceId }, { query }) => answers.list(workspaceId, query),
    getAnswerImport: ({ workspaceId }, { params }) => answers.read(workspaceId, params.answer_import_id),
  }
}
