/**
 * The rows of a batch in memory, while its items are applied in order.
 *
 * Each item is all or nothing: if a part of it is refused, its changes are undone. The result is which rows to insert and
 * to update, and which links to add.
 */
import { because, productTypes } from '@kontor/contract'
import { randomUUID } from 'node:crypto'
import { type Outcome, warningDetails } from '../../core/batch/batch.ts'
import { checkNewName } from '../../core/batch/names.ts'
import { Problem, type ValueFault } from '../../errors.ts'
import type { Model } from '../model/model.ts'
import {
  allowedRule,
  checkLocales,
  checkWords,
  mergeVals,
  noValues,
  type StoredValues,
  type WordCheck,
} from '../../values/api.ts'
import type { ProductAccess } from './products.access.ts'
import type { Ends, ResolvedLink } from './products.links.ts'
import { type NodeRules, refuseLack, refuseLostLocales, type Rules } from './products.rules.ts'
import type { Sent } from './products.sent.ts'
import type { LevelNumber, ProductRow } from './products.sql.ts'

/** An object of the batch, before and after. */
export interface Entry {
  readonly before: ProductRow | undefined
  row: ProductRow
  /** Undefined for a product. */
  readonly parent: Entry | undefined
}
export const rootOf = (entry: Entry): Entry => (entry.parent ? rootOf(entry.parent) : entry)

/** A product that the batch changes: it is written, or refused, as a whole. */
export interface Unit {
  readonly root: Entry
  readonly entries: Set<Entry>
  readonly links: ResolvedLink[]
  /** The items of the batch that changed it. */
  readonly items: number[]
  refusal?: Problem
}

const scopes = ['node', 'product', 'article'] as const
const nameKey = (parentId: number, name: string) => `${parentId} ${name}`

export class Batch {
  readonly units = new Map<Entry, Unit>()
  private readonly byTid: readonly Map<string, Entry>[] = [new Map(), new Map(), new Map()]
  /** The id that has a name, by the parent and the name. */
  private readonly byName = new Map<string, number>()
  private readonly model: Model
  private readonly rules: Rules
  private readonly ends: Ends
  private readonly access: ProductAccess
  private ids: readonly number[] = []
  private usedIds = 0
  private undo: (() => void)[] = []
  private warnings: ValueFault[] = []

  constructor(model: Model, rules: Rules, ends: Ends, access: ProductAccess) {
    this.model = model
    this.rules = rules
    this.ends = ends
    this.access = access
  }

  /** Adds a row of the database. */
  know(row: ProductRow, parent?: Entry): Entry {
    const entry = { before: row, row, parent }
    this.byTid[row.level]!.set(row.tid, entry)
    this.takeName(row.parentId, row.name, row.id)
    return entry
  }

  takeName(parentId: number, name: string, id: number): void {
    this.byName.set(nameKey(parentId, name), id)
  }

  find(level: LevelNumber, tid: string | undefined): Entry | undefined {
    return tid === undefined ? undefined : this.byTid[level]!.get(tid)
  }

  provideIds(ids: readonly number[]): void {
    this.ids = ids
  }

  apply(sent: Sent, item: number): Outcome {
    this.undo = []
    this.warnings = []
    try {
      const root = this.place(sent, undefined)
      for (const article of sent.members) {
        const placed = this.place(article, root)
        for (const variant of article.members) this.place(variant, placed)
      }
      this.units.get(root)?.items.push(item)
      const { id, tid, name } = root.row
      return { action: 'persist', id, tid, details: { tid, id: String(id), name, ...warningDetails(this.warnings) } }
    } catch (error) {
      for (const step of this.undo.toReversed()) step()
      throw error
    }
  }

  private place(sent: Sent, parent: Entry | undefined): Entry {
    const known = this.find(sent.level, sent.tid)
    if (known && known.parent !== parent) {
      const [kind, other] = [productTypes[sent.level], scopes[sent.level]!]
      throw new Problem('exists', because('productIdTaken', { kind, tid: sent.tid ?? '', other }))
    }
    if (known && !parent && !this.access.may('read', known.row.nodeId!)) throw incomplete(sent)
    const entry = known ? this.change(known, sent) : this.create(sent, parent)
    if (sent.links.length > 0) this.link(entry, sent)
    return entry
  }

  private create(sent: Sent, parent: Entry | undefined): Entry {
    const { level, tid = randomUUID(), name, nodeId } = sent
    if (name === undefined || (level === 0 && nodeId === undefined)) throw incomplete(sent)
    const row: ProductRow = {
      id: this.ids[this.usedIds++]!,
      level,
      tid,
      rootId: parent ? rootOf(parent).row.id : null,
      parentId: parent?.row.id ?? nodeId!,
      nodeId: nodeId ?? null,
      name,
      vals: noValues,
    }
    const entry: Entry = { before: undefined, row, parent }
    this.settle(entry, undefined, row, sent)
    this.byTid[level]!.set(tid, entry)
    this.undo.push(() => this.byTid[level]!.delete(tid))
    return entry
  }

  private change(entry: Entry, sent: Sent): Entry {
    const { name = entry.row.name, nodeId } = sent
    const moved = nodeId === undefined ? {} : { nodeId, parentId: nodeId }
    this.settle(entry, entry.row, { ...entry.row, ...moved, name }, sent)
    return entry
  }

  /** Replaces the row of the entry by `next` with the values sent, if that differs from `now`. */
  private settle(entry: Entry, now: ProductRow | undefined, next: ProductRow, { level, vals }: Sent): void {
    const nodeId = next.nodeId ?? rootOf(entry).row.nodeId!
    const rules = this.rules(this.model, nodeId)
    const rights = this.access.rights(nodeId)
    if (rights) checkLocales(vals, rights)
    const ruleOf = (key: string) => {
      const rule = rules.storable(level, key)
      return rights ? allowedRule(key, rule, rights) : rule
    }
    const merged = vals.length === 0 ? next.vals : mergeVals(next.vals, vals, ruleOf)
    const renamed = next.name !== now?.name || next.parentId !== now.parentId
    if (now && !renamed && merged === now.vals) return
    this.access.demand(now ? 'update' : 'create', nodeId)
    if (now?.nodeId != null && now.nodeId !== nodeId) this.access.demand('update', now.nodeId)
    if (merged !== next.vals) this.warnings.push(...checkWords(next.vals, merged, this.wordCheck(rules, rights)))
    refuseLack(rules.lacking(level, merged, valuesAbove(entry)), now?.vals, rights)
    if (now && merged !== now.vals) refuseLostLocales(rules.required(level), now.vals, merged)
    if (next.name !== now?.name) checkNewName(`the name of the ${productTypes[level]}`, next.name)
    if (renamed) this.rename(now, next)
    entry.row = merged === next.vals ? next : { ...next, vals: merged }
    this.undo.push(() => now && (entry.row = now))
    this.touch(entry)
  }

  private wordCheck({ viewRule: rule }: NodeRules, rights: WordCheck['rights']): WordCheck {
    return { words: this.model.words, rule, seesEntries: this.access.seesEntries, rights }
  }

  private rename(from: ProductRow | undefined, to: ProductRow): void {
    const key = nameKey(to.parentId, to.name)
    const holder = this.byName.get(key)
    if (holder !== undefined && holder !== to.id) throw taken(to)
    this.byName.set(key, to.id)
    this.undo.push(() => this.byName.delete(key))
    if (!from) return
    const left = nameKey(from.parentId, from.name)
    this.byName.delete(left)
    this.undo.push(() => this.byName.set(left, from.id))
  }

  private link(entry: Entry, { links }: Sent): void {
    this.access.demand('link', rootOf(entry).row.nodeId!)
    const wanted = links.map((link) =>
      this.ends.resolve(link, entry.row, (tid, level) => this.find(level as LevelNumber, tid)?.row.id),
    )
    const { links: all } = this.touch(entry)
    const before = all.length
    all.push(...wanted)
    this.undo.push(() => (all.length = before))
  }

  private touch(entry: Entry): Unit {
    const root = rootOf(entry)
    let unit = this.units.get(root)
    if (!unit) {
      this.units.set(root, (unit = { root, entries: new Set(), links: [], items: [] }))
      this.undo.push(() => this.units.delete(root))
    }
    const { entries } = unit
    if (!entries.has(entry)) {
      entries.add(entry)
      this.undo.push(() => entries.delete(entry))
    }
    return unit
  }
}

function valuesAbove({ parent }: Entry): StoredValues[] {
  return parent ? [parent.row.vals, ...valuesAbove(parent)] : []
}

function incomplete({ level, tid, name, nodeId }: Sent): Problem {
  const what = productTypes[level]
  const missing = [...(name === undefined ? ['name'] : []), ...(level === 0 && nodeId === undefined ? ['node'] : [])]
  const unknown = tid === undefined ? '' : `no ${what} has the tid ${tid}, and `
  return new Problem(
    tid === undefined ? 'invalid' : 'notFound',
    `${unknown}a new ${what} needs ${missing.join(' and ')}`,
  )
}

export const taken = ({ level, name }: ProductRow) =>
  new Problem('exists', because('productNameTaken', { name, kind: productTypes[level], scope: scopes[level] }))
