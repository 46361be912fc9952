/**
 * What became of a batch. The interface answers one record per object; here the refusals become one error with all their
 * sentences, for pages that want all or nothing to be said.
 */
import type { Records } from '@kontor/sdk'

export class Refused extends Error {
  readonly records: Records
  constructor(records: Records) {
    super(records.map(reasonOf).join('; '))
    this.records = records
  }
}

/** What the server says against values, by the key of the attribute. */
export function valueFaultsOf(error: unknown): ReadonlyMap<string, string> {
  const details = error instanceof Refused ? error.records.flatMap((record) => record.details?.itm ?? []) : []
  return new Map(
    details.flatMap(({ key = '', value = '' }) =>
      key.startsWith(ofAttribute) ? [[key.slice(ofAttribute.length), value] as const] : [],
    ),
  )
}
const ofAttribute = 'attribute.'

type OneRecord = Records[number]
export const isRefused = ({ status }: OneRecord) => status !== 'SUCCESS'
export const reasonOf = ({ description }: OneRecord) => description ?? ''

/** The records, if none is a refusal; throws otherwise. */
export async function settled(records: Promise<Records>): Promise<Records> {
  const all = await records
  const refused = all.filter(isRefused)
  if (refused.length > 0) throw new Refused(refused)
  return all
}
