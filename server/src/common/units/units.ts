/**
 * /common/units: units of measurement and currencies. The definition of an attribute names its unit in the meta item
 * `unit`; other systems may send codes that are not in this list, so it is an offer and not a constraint.
 */
import type { common } from '@kontor/contract'
import type { RouteHandlers } from '../../core/http/routes.ts'
import { Problem } from '../../errors.ts'
import * as rows from './units.sql.ts'

type Routes = Pick<typeof common.routes, 'listUnits' | 'putUnit' | 'deleteUnit'>

export const units: RouteHandlers<Routes> = {
  async listUnits({ db, caller }) {
    const found = await rows.findUnits(db)
    if (!caller.roles.has('admin')) return { units: found.map((row) => toUnit(row)) }
    const uses = new Map((await rows.countUses(db)).map((row) => [row.code, row.uses]))
    return { units: found.map((row) => ({ ...toUnit(row), uses: uses.get(row.code) ?? 0 })) }
  },

  async putUnit({ db }, { params: { code = '' }, body: { kind, name } }) {
    if (!/^[^\s/](.{0,18}[^\s/])?$/.test(code))
      throw new Problem('invalid', 'the code of a unit has 1 to 20 characters and no space or slash at its ends')
    const names = (name?.itm ?? []).flatMap(({ loc, value }) => (loc && value ? [[loc, value]] : []))
    const row = { code, kind, name: Object.fromEntries(names) as Record<string, string> }
    await rows.upsertUnit(db, row)
    return toUnit(row)
  },

  async deleteUnit({ db }, { params: { code = '' } }) {
    const { uses = 0 } = (await rows.countUses(db)).find((row) => row.code === code) ?? {}
    if (uses > 0) throw new Problem('inUse', `${uses} attributes are in ${code}; give them another unit first`)
    if ((await rows.deleteUnit(db, code)) === 0)
      throw new Problem('notFound', `no unit has the code ${code.slice(0, 100)}`)
  },
}

const toUnit = ({ code, kind, name }: rows.UnitRow) => ({
  code,
  kind,
  name: { itm: Object.entries(name).map(([loc, value]) => ({ value, loc })) },
})
