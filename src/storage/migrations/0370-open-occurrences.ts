/** What a sender's monitors have not done yet is counted before more is taken. */
export const openOccurrences = `
create index tune_occurrences_open on tune_occurrences (sender_id) where status in ('accepted', 'running');
`
