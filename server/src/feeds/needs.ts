/** The functions that feeds use of other areas. */
import type { TransferNeeds } from '../transfers/api.ts'
import type { Secrets } from './places.ts'
import type { FeedRow } from './feeds.sql.ts'

export interface FeedNeeds extends TransferNeeds {
  /** Seals secrets; the master key. */
  readonly sealer: {
    seal(content: Uint8Array, label: string): Buffer
    open(sealed: Uint8Array, label: string): Buffer
  }
}

const label = 'secrets of a feed'
export const sealSecrets = ({ sealer }: FeedNeeds, secrets: Secrets): Buffer | null =>
  Object.keys(secrets).length === 0 ? null : sealer.seal(Buffer.from(JSON.stringify(secrets)), label)
export const openSecrets = ({ sealer }: FeedNeeds, { secrets }: Pick<FeedRow, 'secrets'>): Secrets =>
  secrets ? (JSON.parse(sealer.open(secrets, label).toString()) as Secrets) : {}
