/** Why an imported score is what it is, by the word of what gave it. */
export const recordedExplanations = `
alter table log_scores add column explanation text;
`
