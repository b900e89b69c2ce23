export { createMcpServer } from './mcp-server.ts'
export { serveMcp } from './serve-mcp.ts'
export type { Assay } from './tool.ts'
