/** Stores the usage rights that a batch of assets sends. The number of statements does not depend on their number. */
import type { Db } from '../../adapters/postgres/db.ts'
import type { Targets } from '../../common/api.ts'
import type { Context } from '../../core/context.ts'
import { readableChannels, type SentUsage, toChange, toTerms } from './terms.ts'
import * as rows from './usage.sql.ts'

interface Sent {
  readonly row: { readonly id: number } | undefined
  readonly sent: { readonly usageRights?: SentUsage | undefined }
}
interface Wanted {
  readonly id: number
  readonly terms: rows.UsageTerms | null
}
export interface UsageBatch {
  /** Throws a Problem if the rights cannot be stored. */
  termsOf(id: number, sent: SentUsage): rows.UsageTerms | null
  /** Returns what has changed, for the history, by asset. */
  write(db: Db, all: readonly Wanted[]): Promise<ReadonlyMap<number, object>>
}

export async function loadUsage(ctx: Context, targets: Targets, all: readonly Sent[]): Promise<UsageBatch> {
  const asked = all.filter(({ row, sent }) => row && sent.usageRights)
  const found = asked.length > 0 ? await rows.findUsage(ctx.db, asked.map(({ row }) => row!.id)) : [] // prettier-ignore
  const before = new Map(found.map(({ id, usage }) => [id, usage]))
  const named = [
    ...asked.flatMap(({ sent }) => sent.usageRights!.channels ?? []),
    ...found.flatMap(({ usage }) => usage?.channels ?? []),
  ]
  const readable = await readableChannels(ctx, targets, named)
  return {
    termsOf: (id, sent) => toTerms(sent, before.get(id) ?? null, readable),
    async write(db, wanted) {
      const changed = wanted.filter(({ id, terms }) => !isSame(before.get(id) ?? null, terms))
      const kept = changed.flatMap(({ id, terms }) => (terms ? [{ id, terms }] : []))
      const gone = changed.flatMap(({ id, terms }) => (terms ? [] : [id]))
      if (kept.length > 0) await rows.putUsage(db, kept)
      if (gone.length > 0) await rows.deleteUsage(db, gone)
      return new Map(
        changed.map(({ id, terms }) => [id, { from: toChange(termsIn(before.get(id) ?? null)), to: toChange(terms) }]),
      )
    },
  }
}

function termsIn(usage: rows.UsageRow | null): rows.UsageTerms | null {
  if (usage === null) return null
  const { overrideUntil: _until, overrideBy: _by, overrideReason: _reason, ...terms } = usage
  return terms
}

function isSame(usage: rows.UsageRow | null, terms: rows.UsageTerms | null): boolean {
  const before = termsIn(usage)
  if (before === null || terms === null) return before === terms
  return (Object.keys(terms) as (keyof rows.UsageTerms)[]).every(
    (key) => JSON.stringify(before[key]) === JSON.stringify(terms[key]),
  )
}
