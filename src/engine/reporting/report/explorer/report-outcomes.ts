/** How a sample of a finished run ended, in the words of the pages; a filter names one by its place. */
export const reportOutcomes = ['correct', 'wrong', 'partial', 'unscored', 'failed', 'missing'] as const
