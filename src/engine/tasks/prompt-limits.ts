/** Times that a template may repeat its fields where that makes a long prompt. A template of 50 kB turned a question into gigabytes. */
export const mostRepeats = 8
