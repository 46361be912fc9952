/**
 * The outcome of a batch. The server replies with one record per object; `accepted` turns refusals into one error with all
 * of their reasons, for pages that treat a batch as a whole.
 */
import type { Records } from '@kontor/sdk'

export class Refused extends Error {
  readonly records: Records
  constructor(records: Records) {
    super(records.map(reasonOf).join('; '))
    this.records = records
  }
}

/** The reasons why values were refused, by the key of the attribute. */
export function valueFaultsOf(error: unknown): ReadonlyMap<string, string> {
  const details = error instanceof Refused ? error.records.flatMap((record) => record.details?.itm ?? []) : []
  return new Map(
    details.flatMap(({ key = '', value = '' }) =>
      key.startsWith(attributePrefix) ? [[key.slice(attributePrefix.length), value] as const] : [],
    ),
  )
}
const attributePrefix = 'attribute.'

type OneRecord = Records[number]
export const isRefused = ({ status }: OneRecord) => status !== 'SUCCESS'
export const reasonOf = ({ description }: OneRecord) => description ?? ''

/** The records of a batch that was accepted as a whole; throws `Refused` otherwise. */
export async function accepted(records: Promise<Records>): Promise<Records> {
  const all = await records
  const refused = all.filter(isRefused)
  if (refused.length > 0) throw new Refused(refused)
  return all
}
