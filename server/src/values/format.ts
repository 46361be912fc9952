/** The `format` of a definition: the scheme of an identifier, the units of a measure, the currencies of a price. */
import { type AttributeType, currencySigns } from '@kontor/contract'
import type { Db } from '../adapters/postgres/db.ts'
import { holdUnitList } from '../common/api.ts'
import { Problem } from '../errors.ts'
import { type Format, typeRules, typesWhere } from './attribute-types.ts'

export interface FormatContext {
  readonly unitsOf: UnitsOf
  /** Whether values can be unique. */
  readonly allowsUnique?: boolean | undefined
  /** The next free place of a group of attributes; undefined for an unknown group. Absent where attributes have no groups. */
  readonly placeIn?: ((group: string) => number | undefined) | undefined
}
/** The units of a family, the base unit first; undefined for an unknown family. Without one: the names of all families. */
interface UnitsOf {
  (family: string): Format['unit'] | undefined
  readonly families: readonly string[]
  readonly currencies: readonly string[]
}

/** Call it before locking definitions: changes of units lock the units first, too. They wait until the transaction ends. */
export async function holdUnits(db: Db): Promise<UnitsOf> {
  const { families, currencies } = await holdUnitList(db)
  const unitsOf = (family: string) => families.get(family)
  return Object.assign(unitsOf, { families: [...families.keys()], currencies })
}

/** The format to store. A format that is sent replaces the stored one; a type without a format loses it. */
export function formatOf(
  type: AttributeType,
  sent: Format | undefined,
  stored: Format | undefined,
  context: FormatContext,
): Format | undefined {
  const fields: readonly string[] = typeRules[type].format ?? []
  const foreign = Object.keys(sent ?? {}).find((field) => !fields.includes(field))
  if (foreign !== undefined) {
    const types = typesWhere(({ format }) => (format as readonly string[] | undefined)?.includes(foreign))
    throw new Problem('invalid', `format: ${foreign} is for attributes of type ${types}, this is a ${type}; remove it`)
  }
  const { scheme, unique, family, unit } = sent ?? stored ?? {}
  if (type === 'measure') return measureFormat(family, context)
  if (type === 'price') return priceFormat(unit, context)
  if (type !== 'identifier') return undefined
  if (unique === 'true' && !context.allowsUnique)
    throw new Problem('invalid', 'format: only attributes of products can be unique; remove unique')
  return { ...(scheme && { scheme }), ...(unique === 'true' && { unique }) }
}

function measureFormat(family: string | undefined, { unitsOf }: FormatContext): Format {
  const unit = family === undefined ? undefined : unitsOf(family)
  if (family !== undefined && unit) return { unit, family }
  const fault =
    family === undefined ? 'a measure needs a family of units' : `no unit is of the family ${family.slice(0, 50)}`
  throw new Problem('invalid', `format: ${fault}; expected family to be one of ${unitsOf.families.join(', ')}`)
}

function priceFormat(sent: Format['unit'] = [], { unitsOf: { currencies } }: FormatContext): Format {
  const byCode = new Map(currencies.map((code) => [code.toUpperCase(), code]))
  const codeOf = (code: string) => (currencies.includes(code) ? code : (byCode.get(code.toUpperCase()) ?? code))
  const codes = [...new Set(sent.map(({ code }) => codeOf(code.trim())))]
  const unknown = codes.find((code) => !currencies.includes(code))
  const fault =
    unknown === undefined ? 'a price needs its currencies' : `${unknown.slice(0, 20)} is not a known currency`
  if (codes.length === 0 || unknown !== undefined)
    throw new Problem('invalid', `format: ${fault}; expected unit with code to be one of ${currencies.join(', ')}`)
  return {
    unit: codes.map((code) => {
      const signs = currencySigns.get(code)
      return { ...(signs?.length && { synonym: [...signs] }), code }
    }),
  }
}
