/** Families of units: those of Kontor, and those that administrators have made or extended. */
import { unitFamilies, type FormatUnit, type Infer } from '@kontor/contract'
import type { Db } from '../../adapters/postgres/db.ts'
import { findUnits, holdUnits, type UnitRow } from './units.sql.ts'

type FamilyUnit = Infer<typeof FormatUnit>

/** The family of each built-in unit, by its code. */
const builtIn = new Map(
  [...unitFamilies].flatMap(([family, units]) => units.map((size) => [size.code, { family, ...size }] as const)),
)
export const builtInUnit = (code: string) => builtIn.get(code)

/** The units of each family, the base unit first, and the codes of currencies, for writers of definitions. */
export async function holdUnitList(db: Db) {
  await holdUnits(db)
  const rows = await findUnits(db)
  const currencies = rows.filter(({ kind }) => kind === 'currency').map(({ code }) => code)
  return { families: familiesOf(rows), currencies }
}

export function familiesOf(rows: readonly UnitRow[]): ReadonlyMap<string, FamilyUnit[]> {
  const own = rows.flatMap(({ code, family, factor, offset, synonyms }) =>
    family === null || builtIn.has(code) ? [] : [{ code, family, factor: factor ?? 1, offset: offset ?? 0, synonyms }],
  )
  const byFamily = Map.groupBy([...builtIn.values(), ...own], ({ family }) => family)
  return new Map(
    [...byFamily].map(([family, units]) => [
      family,
      units.map(toMessage).toSorted((a, b) => Number(isBaseUnit(b)) - Number(isBaseUnit(a))),
    ]),
  )
}

export const isBaseUnit = ({ factor = '1', offset = '0' }: FamilyUnit) => Number(factor) === 1 && Number(offset) === 0

const toMessage = ({ code, factor, offset = 0, synonyms = [] }: Sized): FamilyUnit => ({
  ...(synonyms.length > 0 && { synonym: [...synonyms] }),
  code,
  factor: String(factor),
  ...(offset !== 0 && { offset: String(offset) }),
})

interface Sized {
  readonly code: string
  readonly factor: number
  readonly offset?: number
  readonly synonyms?: readonly string[]
}
