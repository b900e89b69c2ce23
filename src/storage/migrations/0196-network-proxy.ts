/** The network log says which proxy a server was called through. */
export const networkProxy = `
alter table network_hosts add column proxy text;
`
