/**
 * Batches: one transaction, one outcome per item, in order.
 *
 * A handler gets all items at once and returns an outcome for each: `Done`, or the `Problem` that refused it. A refused item
 * changes nothing; the other items are stored. The rows, the history, the outbox and the stored idempotent reply commit
 * together. Deadlocks and serialization failures repeat the whole batch, which is safe because nothing was committed.
 */
import { because, type Infer, type Long, reasonItems, type ResponseRecord } from '@kontor/contract'
import type { FastifyRequest } from 'fastify'
import type { Db } from '../../adapters/postgres/db.ts'
import { Problem, problems, sentenceOf, textOf, type ValueFault, ValueProblem } from '../../errors.ts'
import { auditBy } from '../access/audit.ts'
import type { Caller, Change, Context, AuditedAction, Services } from '../context.ts'
import { writeChanges } from '../outbox/history.sql.ts'
import { slicesOf } from './sizes.ts'
import type { OutboxRow } from '../outbox/outbox.ts'

export interface Done {
  readonly action: string
  readonly dataType?: string
  readonly id?: Long
  readonly tid?: string
  readonly path?: string
  readonly description?: string
  readonly details?: Readonly<Record<string, string>>
}
export type Outcome = Done | Problem
/** One entry of the reply's `responses`. */
export type Response = Infer<typeof ResponseRecord>

/** How an item identifies its object; repeated in the record of a refused item. */
export interface Named {
  readonly id?: Long
  readonly tid?: string
  readonly path?: string
}

export type { Services } from '../context.ts'

/** Runs `work` as one batch: in a transaction, with its changes written at the end. */
export async function inBatch<T>(
  { database, config, deletionBlockers, committed }: Omit<Services, 'callerNow'>,
  caller: Caller,
  work: (ctx: Context) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      const changes: Change[] = []
      const events: AuditedAction[] = []
      let rows: readonly OutboxRow[] = []
      const write = (db: Db, some: readonly Change[]) =>
        writeChanges(db, caller.userName, some, committed !== undefined).then(
          (written) => (rows = [...rows, ...written]),
        )
      let last: readonly Change[] = []
      const result = await database.transaction(
        async (db) => {
          const done = await work({
            db,
            caller,
            config,
            record: (change) => changes.push(change),
            audit: (event) => events.push(event),
            deletionBlockers: (dataType, parts) => deletionBlockers({ db, caller }, dataType, parts),
          })
          const slices = slicesOf(changes)
          last = slices.pop()!
          for (const slice of slices) await write(db, slice)
          return done
        },
        (db) => Promise.all([write(db, last), events.length > 0 ? auditBy(db, caller, ...events) : undefined]),
      )
      if (rows.length > 0) committed?.(rows)
      return result
    } catch (error) {
      if (attempt === 5 || !isRace(error)) throw error
    }
  }
}

const races = new Set(['40001', '40P01'])
const isRace = (error: unknown) => races.has((error as { code?: string }).code ?? '')

/**
 * Writes a set with one statement. If a constraint refuses it, halves the set until the violating items are isolated. The
 * first half is written before the second, so of two conflicting items the earlier one is stored.
 */
export async function writeEach<T>(
  db: Db,
  items: readonly T[],
  write: (db: Db, items: readonly T[]) => Promise<void>,
  refuse: (item: T, error: { code: string; constraint?: string }) => void,
): Promise<void> {
  if (items.length === 0) return
  try {
    await db.transaction((savepoint) => write(savepoint, items))
  } catch (error) {
    if (!isConstraintError(error)) throw error
    if (items.length === 1) return refuse(items[0]!, error)
    const half = items.length >> 1
    await writeEach(db, items.slice(0, half), write, refuse)
    await writeEach(db, items.slice(half), write, refuse)
  }
}

/** SQLSTATE class 23: the integrity of the data would be violated. */
function isConstraintError(error: unknown): error is { code: string; constraint?: string } {
  return /^23\d{3}$/.test((error as { code?: string }).code ?? '')
}

const effects = new Map(
  Object.entries({
    create: 'created',
    update: 'updated',
    persist: 'stored',
    delete: 'deleted',
    move: 'moved',
    copy: 'copied',
  }),
)

function itemsOf(problem: Problem) {
  const { only } = problem
  if (!(problem instanceof ValueProblem)) return typeof only === 'string' ? [] : reasonItems(only)
  return problem.faults.flatMap(([key, message]) => [
    { value: textOf(message), key: `attribute.${key}` },
    ...(typeof message === 'string' ? [] : reasonItems(message, key)),
  ])
}

/** Details of a stored item with values that somebody should look at; with the reason, for clients in other languages. */
export const warningDetails = (warnings: readonly ValueFault[]): Record<string, string> =>
  Object.fromEntries(
    [...Map.groupBy(warnings, ([key]) => key)].flatMap(([key, faults]) => {
      const [message] = faults[0]!.slice(1) as [ValueFault[1]]
      const isOne = faults.length === 1 && typeof message !== 'string'
      return [
        [`warning.${key}`, faults.map(([, one]) => textOf(one)).join('; ')],
        ...(isOne ? reasonItems(message, key).map((item) => [item.key, item.value]) : []),
      ]
    }),
  )

const warningKey = /^warning\.(.*)$/s
/** The warnings of a stored item as sentences that name the attribute, as refusals have them. */
export const warningsOf = ({ details }: Response): string[] =>
  (details?.itm ?? []).flatMap(({ key = '', value = '' }) => {
    const attribute = warningKey.exec(key)?.[1]
    return attribute === undefined ? [] : sentenceOf([attribute, value])
  })

export function toRecord(dataType: string, action: string, item: Named, outcome: Outcome): Response {
  if (outcome instanceof Problem) {
    const { code } = problems[outcome.kind]
    return {
      status: 'ERROR',
      description: outcome.message,
      details: { itm: [{ value: code, key: 'code' }, ...itemsOf(outcome)] },
      action,
      dataType,
      ...definedOf({ id: item.id, path: item.path, tid: item.tid }),
    }
  }
  const { description = `${dataType} ${effects.get(outcome.action) ?? 'done'}`, details, ...attributes } = outcome
  return {
    status: 'SUCCESS',
    description,
    ...(details && { details: { itm: Object.entries(details).map(([key, value]) => ({ value, key })) } }),
    ...definedOf({ dataType, ...attributes }),
  } as Response
}

/** The object without its undefined fields. */
type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

function definedOf<T extends object>(object: T): Defined<T> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as Defined<T>
}

/** Turns a function that throws a Problem into one that returns it, for items that are refused one by one. */
export const orProblem =
  <T, R>(convert: (item: T) => R) =>
  (item: T): R | Problem => {
    try {
      return convert(item)
    } catch (error) {
      if (error instanceof Problem) return error
      throw error
    }
  }

/** The items that were not refused. */
export const soundOf = <T>(items: readonly (T | Problem)[]): T[] =>
  items.filter((item): item is T => !(item instanceof Problem))

/** Whether all items of the batch are applied or none. */
export const isAtomic = (request: FastifyRequest) => booleanHeader(request, 'Kontor-Atomic')

/** Whether only the records are wanted and nothing is stored. */
export const isDryRun = (request: FastifyRequest) => booleanHeader(request, 'Kontor-Dry-Run')

/** Anything but true and false is refused, so that a typo does not count as false. */
function booleanHeader({ headers }: FastifyRequest, name: string): boolean {
  const value = headers[name.toLowerCase()] ?? 'false'
  if (value === 'true' || value === 'false') return value === 'true'
  throw new Problem('invalid', `${name}: expected true or false`)
}

/** Rolls back the transaction of a dry run and carries its records out of it. */
export class DryRun extends Error {
  readonly records: Response[]
  constructor(records: Response[]) {
    super('a dry run ends without effect')
    this.records = records
  }
}

/** Rolls back an atomic batch with a failed item and carries the outcomes out of the transaction. */
export class NotAtomic extends Error {
  readonly outcomes: readonly (readonly Outcome[])[]
  constructor(outcomes: readonly (Outcome | readonly Outcome[])[]) {
    super('an item of an atomic batch failed')
    const first = outcomes.findIndex((outcome) => [outcome].flat().some((one) => one instanceof Problem)) + 1
    const notApplied = new Problem('notApplied', because('otherRefused', { item: first }))
    this.outcomes = outcomes.map((outcome) =>
      [outcome].flat().map((one) => (one instanceof Problem ? one : notApplied)),
    )
  }
}
