/** Finds expired quotes that no run uses, and lets them be deleted without reading every run. */
export const quoteExpiry = `
create index runs_quote on runs (quote_id);
create index quotes_expiry on quotes (expires_at);
`
