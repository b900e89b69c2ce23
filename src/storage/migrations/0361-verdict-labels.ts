/** A verdict in the words of what gave it, beside its value: of judges, remote scorers and imported logs. */
export const verdictLabels = `
alter table scores add column label text;
alter table log_scores add column label text;
`
