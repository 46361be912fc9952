/** The place of a drop: into an item, or before or after it. */
export type DropSpot = 'into' | 'before' | 'after'

/** The spot for a pointer at `share` of an item's height (0 at its top), among the spots that the tree allows. */
export function dropSpotAt(share: number, allowed: readonly DropSpot[]): DropSpot {
  if (!allowed.includes('before')) return 'into'
  if (share < 0.25) return 'before'
  if (share > 0.75) return 'after'
  if (allowed.includes('into')) return 'into'
  return share < 0.5 ? 'before' : 'after'
}
