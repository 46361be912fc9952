/**
 * The outcome of a batch. The server replies with one record per object; `accepted` turns refusals into one error with all
 * of their reasons, for pages that treat a batch as a whole.
 */
import { type Records, type Refusal, refusalsOf } from '@kontor/sdk'
import { refusalText } from '../ui/failure-text.ts'

export class Refused extends Error {
  readonly refusals: readonly Refusal[]
  constructor(records: Records) {
    super(records.map(({ description = '' }) => description).join('; '))
    this.refusals = records.flatMap(refusalsOf)
  }
}

/** The reasons why values were refused, by the key of the attribute. */
export function valueFaultsOf(error: unknown): ReadonlyMap<string, string> {
  const refusals = error instanceof Refused ? error.refusals : []
  return new Map(
    refusals.flatMap((refusal) =>
      refusal.attribute === undefined ? [] : [[refusal.attribute, refusalText(refusal)] as const],
    ),
  )
}

type OneRecord = Records[number]
export const isRefused = ({ status }: OneRecord) => status !== 'SUCCESS'

/** The records of a batch that was accepted as a whole; throws `Refused` otherwise. */
export async function accepted(records: Promise<Records>): Promise<Records> {
  const all = await records
  const refused = all.filter(isRefused)
  if (refused.length > 0) throw new Refused(refused)
  return all
}
