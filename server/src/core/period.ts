/** Periods in queries. Dates without a time zone are UTC. */
import { Problem } from '../errors.ts'

const hasZone = /(?:Z|[+-]\d\d:?\d\d)$/
const momentOf = (date: string) => Date.parse(date.includes('T') && !hasZone.test(date) ? `${date}Z` : date)

/** Refuses a period that ends before it begins. */
export function checkPeriod(
  place: string,
  { modifiedFrom, modifiedUntil }: { readonly modifiedFrom?: string; readonly modifiedUntil?: string },
): void {
  if (modifiedFrom === undefined || modifiedUntil === undefined) return
  if (momentOf(modifiedFrom) > momentOf(modifiedUntil))
    throw new Problem(
      'invalid',
      `${place}/modifiedFrom: ${modifiedFrom} is after modifiedUntil ${modifiedUntil}; exchange them`,
    )
}
