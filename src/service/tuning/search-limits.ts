/** Proposals of one search. */
export const mostProposals = 30
/** Of each cap of a group, the search may spend one part in so many; the race has the rest. */
export const searchShare = 2n
/** Of that, one part in so many is set aside for proposals. */
export const writingShare = 4n
/** Failures that a proposal is made from, and first tried on. */
export const shownFailures = 4
