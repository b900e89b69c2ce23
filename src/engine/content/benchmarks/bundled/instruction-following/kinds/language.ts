import type { ForeignTopic } from '../topics/languages.ts'
import type { Constraint } from './constraint.ts'

/** The language is the topic's, so there is one kind for each. */
export function responseLanguage(topic: ForeignTopic): Constraint {
  return {
    id: 'language:response_language',
    decides: ['language'],
    excludes: [],
    plan: draw => {
      const wording = draw.pick([
        `Answer in ${topic.languageName} only.`,
        `The whole answer has to be in ${topic.languageName}; no other language is allowed.`,
        `Write in ${topic.languageName} and in nothing else.`,
      ])
      return {
        state: () => ({ wording, kwargs: { language: topic.language } }),
        broken: () =>
          'I would rather answer this in English because it is the language that most of the people in the room will understand.',
      }
    },
  }
}
