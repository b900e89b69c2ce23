export { feedbackHandlers } from './feedback.handlers.ts'
export { createFeedback } from './feedback.service.ts'
export { serveFeedbackGuide } from './guide.ts'
