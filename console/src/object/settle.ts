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
