export { createMcpServer } from './mcp-server.ts'
export type { Assay } from './tool.ts'
