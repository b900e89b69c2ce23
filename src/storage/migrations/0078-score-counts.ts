/** What each score adds to a figure of its run that is no mean of values, such as corpus BLEU. */
export const scoreCounts = `
alter table scores add column counts text check (counts is null or json_valid(counts));
`
