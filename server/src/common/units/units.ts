/**
 * /common/units: units of measurement and currencies.
 *
 * The definition of a number names its unit in the meta item `unit`; other systems may send codes that are not in this
 * list, so for numbers it is an offer and not a constraint. A measure takes all units of its family. Values of measures are
 * indexed by the size of their unit, so that a size cannot change while attributes measure in it.
 */
import { because } from '@kontor/contract'
import type { common, Infer, UnitChange } from '@kontor/contract'
import type { Db } from '../../adapters/postgres/db.ts'
import { inBatch } from '../../core/batch/batch.ts'
import type { Context } from '../../core/context.ts'
import type { RouteHandlers } from '../../core/http/routes.ts'
import { Problem } from '../../errors.ts'
import { builtInUnit, familiesOf, isBaseUnit } from './families.ts'
import * as rows from './units.sql.ts'

type Routes = Pick<typeof common.routes, 'listUnits' | 'putUnit' | 'deleteUnit'>

export const units: RouteHandlers<Routes> = {
  async listUnits({ db, caller }) {
    const found = await rows.findUnits(db)
    if (!caller.roles.has('admin')) return { units: found.map((row) => toUnit(row)) }
    const uses = new Map((await rows.countUses(db)).map((row) => [row.code, row.uses]))
    return { units: found.map((row) => ({ ...toUnit(row), uses: uses.get(row.code) ?? 0 })) }
  },

  async putUnit(_, { params: { code = '' }, body, caller, services }) {
    if (!/^[^\s/](.{0,18}[^\s/])?$/.test(code)) throw new Problem('invalid', because('unitCode'))
    if (body.kind === 'currency' && code.includes(';'))
      throw new Problem('invalid', 'the code of a currency cannot contain ;, which separates the amounts of a price')
    const names = (body.name?.itm ?? []).flatMap(({ loc, value }) => (loc && value ? [[loc, value]] : []))
    const name = Object.fromEntries(names) as Record<string, string>
    const row = { code, kind: body.kind, name, ...sizeOf(code, body) }
    await inBatch(services, caller, (ctx) => store(ctx, row))
    return toUnit(row)
  },

  async deleteUnit(_, { params: { code = '' }, caller, services }) {
    await inBatch(services, caller, async ({ db }) => {
      await rows.lockUnits(db)
      await demandUnused(db, code)
      const all = await rows.findUnits(db)
      const unit = all.find((row) => row.code === code)
      if (!unit) throw new Problem('notFound', `no unit has the code ${code.slice(0, 100)}`)
      demandBase(all.filter((row) => row !== unit), [unit.family]) // prettier-ignore
      await rows.deleteUnit(db, code)
    })
  },
}

type Size = Pick<rows.UnitRow, 'family' | 'factor' | 'offset' | 'synonyms'>
const noSize: Size = { family: null, factor: null, offset: null, synonyms: [] }

/** The conversion to store. A built-in unit stores none: clients may send back the one that they have read. */
function sizeOf(code: string, { kind, family, factor = 1, offset = 0, synonyms = [] }: Infer<typeof UnitChange>): Size {
  if (synonyms.length > 20) throw new Problem('invalid', `synonyms: 20 at most, found ${synonyms.length}`)
  const known = builtInUnit(code)
  if (known) {
    const isSame = family === undefined || (family === known.family && factor === known.factor)
    if (kind === 'measure' && isSame) return noSize
    throw new Problem('invalid', because('unitBuiltIn', { unit: code, family: known.family })) // prettier-ignore
  }
  if (family === undefined) return noSize
  if (kind !== 'measure') throw new Problem('invalid', 'family: currencies are not converted; remove it')
  if (!/^\S(.{0,48}\S)?$/.test(family))
    throw new Problem('invalid', 'family: expected 1 to 50 characters without a space at the ends')
  if (!(factor > 0)) throw new Problem('invalid', `factor: ${factor} is not above 0; give the size in the base unit`)
  return { family, factor, offset, synonyms: [...new Set(synonyms.map((one) => one.trim()).filter(Boolean))] }
}

async function store(ctx: Context, row: rows.UnitRow): Promise<void> {
  const { db } = ctx
  await rows.lockUnits(db)
  const all = await rows.findUnits(db)
  const before = all.find(({ code }) => code === row.code)
  const isMoved = before?.family && (before.family !== row.family || before.factor !== row.factor || before.offset !== row.offset) // prettier-ignore
  if (isMoved && (await rows.countMeasures(db, before.family)) > 0)
    throw new Problem('inUse', because('unitMeasured', { family: before.family, unit: row.code })) // prettier-ignore
  if (before && before.kind !== row.kind) await demandUnused(db, row.code)
  demandBase([...all.filter((one) => one !== before), row], [before?.family, row.family])
  await rows.upsertUnit(db, row)
  if (row.family === null) return
  const family = familiesOf(await rows.findUnits(db)).get(row.family)!
  for (const { id, dataType } of await rows.refreshDefinitions(db, row.family, family))
    ctx.record({ dataType, id, event: 'UPDATE', action: 'units', changes: { units: { to: row.code } } })
}

async function demandUnused(db: Db, code: string): Promise<void> {
  const { uses = 0 } = (await rows.countUses(db)).find((row) => row.code === code) ?? {}
  if (uses > 0) throw new Problem('inUse', because('unitInUse', { count: uses, unit: code }))
}

/** Amounts are searched and shown in the base unit, so a family cannot be without it. */
function demandBase(all: readonly rows.UnitRow[], concerned: readonly (string | null | undefined)[]): void {
  const families = familiesOf(all)
  for (const family of concerned) {
    const units = family == null ? [] : (families.get(family) ?? [])
    if (units.length > 0 && !units.some(isBaseUnit))
      throw new Problem('invalid', `the family ${family} needs a base unit, with the factor 1 and without an offset; store it first and delete it last`) // prettier-ignore
  }
}

function toUnit({ code, kind, name, ...own }: rows.UnitRow) {
  const known = builtInUnit(code)
  const { family, factor, offset, synonyms } = known ?? own
  return {
    code,
    kind,
    name: { itm: Object.entries(name).map(([loc, value]) => ({ value, loc })) },
    ...(family != null && { family, factor: factor ?? 1 }),
    ...(offset && { offset }),
    ...(synonyms?.length && { synonyms: [...synonyms] }),
    ...(known && { builtIn: true }),
  }
}
