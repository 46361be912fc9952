/**
 * Tables that are divided by time (docs/scaling.md#tables-divided-by-time). Old rows are removed by dropping a partition,
 * which removes its files instead of its rows, and leaves nothing to vacuum.
 *
 *   history_before       everything up to the first boundary: the rows from before an upgrade or restore
 *   history_2026_11_01   from this day on, until the next one begins
 *   history_default      what no partition exists for, so that a write never fails; normally empty
 *
 * `makePartitions` runs at every start and every hour, in any number of processes at once. It makes partitions ahead. A default
 * partition that has rows gets an end and becomes a partition itself; its rows stay where they are:
 *
 *   1  add a constraint that it ends in the future     a short lock
 *   2  check the present rows against it               scans the partition; reads and writes go on
 *   3  attach it with that end, add an empty default   a short lock; the constraint proves that no scan is needed
 *
 * A small partition goes through all steps in one transaction. A large one commits after each, and the next run continues
 * wherever the previous one was interrupted. If that is after the end, the constraint is removed first.
 */
import type { Db } from '../../adapters/postgres/db.ts'
import * as rows from './partitions.sql.ts'

type Period = 'day' | 'month' | 'year'
interface Partitioned {
  readonly table: 'history' | 'outbox' | 'audit_event'
  readonly period: Period
  /** Unique in each partition. A table as a whole can only have keys that contain the time. */
  readonly key?: string
}

/** Old rows are kept for up to one period longer; the shorter it is, the more partitions a read has to look into. */
const periodFor = (days: number): Period => (days <= 31 ? 'day' : 'month')
export const partitionedTables = (keep: { historyDays: number; outboxHours: number }): readonly Partitioned[] => [
  { table: 'history', period: periodFor(keep.historyDays) },
  { table: 'outbox', period: periodFor(keep.outboxHours / 24), key: 'seq' },
  // Every insertion reads the newest row, from all partitions. Nothing is ever removed from it.
  { table: 'audit_event', period: 'year', key: 'seq' },
]

const day = 24 * 60 * 60 * 1000
/** Partitions exist for so long ahead (days). */
const ahead: Readonly<Record<Period, number>> = { day: 3, month: 92, year: 366 }
/** The time until the end of a default partition with rows (days); checking its rows must not take longer. */
const grace: Readonly<Record<Period, number>> = { day: 2, month: 14, year: 14 }
/** Up to this size the rows are checked while the table is locked, which takes a fraction of a second (bytes). */
const smallSize = 64 * 1024 ** 2
/** Longer than the second after which PostgreSQL makes an autovacuum give way. */
const lockMillis = 1_500

function startOf(period: Period, at: Date): Date {
  const [year, month, date] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()]
  return new Date(Date.UTC(year, period === 'year' ? 0 : month, period === 'day' ? date : 1))
}
function endOf(period: Period, at: Date): Date {
  const [year, month, date] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()]
  if (period === 'day') return new Date(Date.UTC(year, month, date + 1))
  return new Date(period === 'month' ? Date.UTC(year, month + 1) : Date.UTC(year + 1, 0))
}
const later = (at: Date, days: number) => new Date(at.getTime() + days * day)
const nameOf = (table: string, from: Date | null) =>
  `${table}_${from ? from.toISOString().slice(0, 10).replaceAll('-', '_') : 'before'}`

interface Making {
  readonly now: Date
  /** See smallSize. */
  readonly small: number
  /** Do not begin what could take long: the caller is starting the server. */
  readonly leaveLarge: boolean
}

export async function makePartitions(
  db: Db,
  tables: readonly Partitioned[],
  { now = new Date(), small = smallSize, leaveLarge = false }: Partial<Making> = {},
): Promise<void> {
  const making = { now, small, leaveLarge }
  for (const one of tables) while (await unlessLocked(() => db.transaction((tx) => advance(tx, one, making))));
}

/** A statement in progress holds the table: the next run tries again. */
async function unlessLocked(work: () => Promise<boolean>): Promise<boolean> {
  try {
    return await work()
  } catch (error) {
    if ((error as { code?: string }).code === '55P03') return false
    throw error
  }
}

/** One transaction. Returns whether another one has to follow. */
async function advance(
  db: Db,
  { table, period, key }: Partitioned,
  { now, small, leaveLarge }: Making,
): Promise<boolean> {
  if (!(await rows.claim(db, table))) return false
  const { bounded, spare } = split(await rows.findPartitions(db, table))
  let last = bounded.at(-1)?.to ?? null
  const isDue = () => last === null || last < later(now, ahead[period])
  let limit = await rows.findLimit(db, table, spare.name)
  if (limit && !limit.isValid && limit.to > now) return !leaveLarge && validate(db, table, spare.name)
  if (!limit && !isDue() && !(await rows.measure(db, spare.name)).hasRows) return false

  await rows.lockTable(db, table, lockMillis)
  if (limit && limit.to <= now) {
    await rows.dropLimit(db, table, spare.name)
    limit = undefined
  }
  const { hasRows, bytes } = await rows.measure(db, spare.name)
  if (!limit && (last === null || hasRows)) {
    const isSmall = Number(bytes) <= small
    if (!isSmall && leaveLarge) return false
    const newest = isSmall ? await rows.findNewest(db, spare.name) : null
    const wanted = Math.max(later(now, grace[period]).getTime(), newest?.getTime() ?? 0, last?.getTime() ?? 0)
    limit = { to: hasRows ? endOf(period, new Date(wanted)) : startOf(period, now), isValid: isSmall }
    await rows.addLimit(db, table, spare.name, last, limit.to)
    if (!isSmall) return true
    await rows.validateLimit(db, table, spare.name)
  }
  if (limit) {
    const name = nameOf(table, last)
    await rows.closeDefault(db, table, spare.name, { name, from: last, to: limit.to })
    await rows.dropLimit(db, table, name)
    await rows.addPartition(db, table, `${table}_default`, { key })
    last = limit.to
  }
  while (isDue()) {
    // After a long time without a server one partition is made for all of it.
    const range: { from: Date; to: Date } = { from: last!, to: endOf(period, last! > now ? last! : now) }
    await rows.addPartition(db, table, nameOf(table, range.from), { range, key })
    last = range.to
  }
  return false
}

/** Rows that break the limit have times that no clock can have given. They stay in the default; `kontor doctor` reports them. */
async function validate(db: Db, table: string, partition: string): Promise<boolean> {
  try {
    await db.transaction((tx) => rows.validateLimit(tx, table, partition))
    return true
  } catch (error) {
    if ((error as { code?: string }).code !== '23514') throw error
    await rows.dropLimit(db, table, partition)
    return false
  }
}

function split(partitions: readonly rows.Partition[]) {
  const spare = partitions.find(({ isDefault }) => isDefault)
  if (spare === undefined) throw new Error('a table has no default partition; attach an empty one')
  return { bounded: partitions.filter((one) => one !== spare), spare }
}

/**
 * Drops the partitions that ended before the time, oldest first, as long as `mayDrop` agrees; it runs in the transaction that
 * drops the partition. Returns the names of the partitions whose old rows must be deleted one by one.
 */
export async function dropPartitions(
  db: Db,
  table: Partitioned['table'],
  before: Date,
  mayDrop: (db: Db, partition: string) => Promise<boolean> = async () => true,
): Promise<string[]> {
  const dropOldest = async (tx: Db) => {
    if (!(await rows.claim(tx, table))) return false
    const [oldest] = await rows.findPartitions(tx, table)
    if (!oldest?.to || oldest.to > before) return false
    await rows.lockTable(tx, table, lockMillis)
    if (!(await mayDrop(tx, oldest.name))) return false
    await rows.dropPartition(tx, oldest.name)
    return true
  }
  while (await unlessLocked(() => db.transaction(dropOldest)));
  const left = await rows.findPartitions(db, table)
  return left.filter(({ from }) => from === null).map(({ name }) => name)
}

/** Tables whose default partition has rows. */
export async function findUndivided(db: Db, tables: readonly Partitioned[]): Promise<string[]> {
  const found: string[] = []
  for (const { table } of tables) {
    const { spare } = split(await rows.findPartitions(db, table))
    if ((await rows.measure(db, spare.name)).hasRows) found.push(table)
  }
  return found
}
