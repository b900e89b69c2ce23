/**
 * What the spans of a trace say, each a document of search words (lib/text-query.ts); its row number is the trace's times 2^32 plus the
 * span's, so that hits name their traces. Spans stored before are found by the previews of their trace until they are sent again.
 */
export const spanSearch = `
create virtual table span_search using fts5 (text, content = '', contentless_delete = 1, tokenize = 'ascii');
`
