/** Date versions of the interface, newest first. The first is the default. */
export const supportedVersions = ['2026-10-08'] as const
export const currentVersion = supportedVersions[0]
/** Version of the interface description itself. */
export const documentVersion = '0.1.0'
