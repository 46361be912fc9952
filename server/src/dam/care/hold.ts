/**
 * Held content: bytes that nobody gets, because they are not checked for viruses, infected, damaged or in the archive. The
 * state belongs to the content, so it holds for every asset, version and delivered file with the same bytes.
 *
 * Every reader of originals goes through `guardBlobs`, so no way out is forgotten. Lists, zips and exports look at the hold
 * of each file before, to name it.
 */
import { because, type Reason } from '@kontor/contract'
import type { Blobs } from '../../adapters/blobs/blobs.ts'
import type { Db } from '../../adapters/postgres/db.ts'
import type { Config } from '../../config.ts'
import { Problem } from '../../errors.ts'
import { touchUsed } from './archive.sql.ts'
import { findHold, type Hold } from './hold.sql.ts'

export type { Hold } from './hold.sql.ts'

export function holdReason(path: string, { state, threat }: Hold): Reason {
  switch (state) {
    case 'unchecked':
      return because('fileUnchecked', { path })
    case 'infected':
      return because('fileInfected', { path, threat: threat ?? 'a virus' })
    case 'tooLarge':
      return because('fileUncheckable', { path })
    case 'archived':
      return because('fileArchived', { path })
    default:
      return because('fileDamaged', { path })
  }
}

export function demandContent({ path, hold }: { readonly path: string; readonly hold: Hold | null }): void {
  if (hold) throw new Problem(hold.state === 'infected' ? 'forbidden' : 'withheld', holdReason(path, hold))
}

/** How new content from outside is registered: not checked at all, checked later, or held until it is checked. */
export type Incoming = 'unchecked' | 'queued' | 'held'
export const incomingOf = ({ scanner, scanUnchecked }: Pick<Config, 'scanner' | 'scanUnchecked'>): Incoming =>
  scanner === undefined ? 'unchecked' : scanUnchecked === 'wait' ? 'held' : 'queued'

/** A blob store that gives out no held content. */
export interface GuardedBlobs extends Blobs {
  /** The store itself, for content that Kontor has made, and for work on the stored bytes. */
  readonly raw: Blobs
  /** How content is registered that arrives through this store. */
  readonly incoming: Incoming
  /** Throws if the content is held. A transaction gives its `db`, so that it does not wait for a second connection. */
  demand(sha256: string, name: string, db?: Db): Promise<void>
}

export function guardBlobs(
  database: Db,
  raw: Blobs,
  /** With an archive, the day of the last use is kept. */
  { incoming, notesUse }: { readonly incoming: Incoming; readonly notesUse: boolean },
): GuardedBlobs {
  const demand = async (sha256: string, name: string, db = database) => {
    demandContent({ path: name, hold: await findHold(db, sha256) })
    if (notesUse) await touchUsed(db, sha256)
  }
  const guarded =
    <A extends unknown[], R>(read: (sha256: string, ...rest: A) => Promise<R>) =>
    async (sha256: string, ...rest: A): Promise<R> => {
      await demand(sha256, 'the file')
      return read(sha256, ...rest)
    }
  return {
    ...raw,
    raw,
    incoming,
    demand,
    lend: guarded(raw.lend),
    open: guarded(raw.open),
    withFile: async (sha256, work) => {
      await demand(sha256, 'the file')
      return raw.withFile(sha256, work)
    },
    presign: raw.presign && guarded(raw.presign),
  }
}
