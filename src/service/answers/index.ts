export { answersHandlers } from './answers.handlers.ts'
export { createAnswers } from './answers.service.ts'
