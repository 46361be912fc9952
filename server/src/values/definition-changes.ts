/**
 * Changes of a definition that stored values may not survive.
 *
 * Values are stored in the form that their definition prescribes. An area must therefore refuse such a change while there
 * are values that it affects. Which values exist is for the area to find out.
 */
import type { DefinitionContent } from './definition-content.ts'
import { some } from './definition-parts.ts'
import type { DefinitionMessage } from './definition-row.ts'

interface BreakingChange {
  /** The effect, as the beginning of a sentence: "the list would lose red". */
  readonly reason: string
  /** The values that it affects; without any of these fields, all values of the attribute. */
  readonly affected: {
    /** Values of a list that have one of these keys. */
    readonly keys?: readonly string[]
    /** Lists of more than this many values. */
    readonly most?: number
    /** Values of these columns of a table. */
    readonly columns?: readonly string[]
  }
}

export function breakingChanges(stored: DefinitionContent, next: DefinitionContent): BreakingChange[] {
  const most = cardinalityOf(next)
  const keys = lost(listKeys, stored, next)
  const columns = lost(columnsOf, stored, next)
  const currencies = next.type === 'price' ? lost(currenciesOf, stored, next) : []
  const [old, format] = [stored.definition.format ?? {}, next.definition.format ?? {}]
  const changes: [happens: boolean, reason: string, affected?: BreakingChange['affected']][] = [
    [stored.type !== next.type, `the type ${stored.type} would become ${next.type}`],
    [old.family !== format.family, `amounts would need a unit of ${format.family}`],
    [currencies.length > 0, `prices in ${some(currencies)} would be lost`],
    [old.scheme !== format.scheme && format.scheme !== undefined, `values would have to be a ${format.scheme}`],
    [!stored.localized && next.localized, 'values without a locale would need one'],
    [stored.localized && !next.localized, 'values per locale would become one'],
    [!stored.multi && next.multi, 'single values would become lists'],
    [stored.multi && !next.multi, 'lists would become single values'],
    [next.multi && most < cardinalityOf(stored), `lists could have only ${most} values`, { most }],
    [!stored.definition.domainVals && isClosed(next.definition), 'values would have to be in the list'],
    [keys.length > 0, `the list would lose ${some(keys)}`, { keys }],
    [columns.length > 0, `the table would lose ${some(columns)}`, { columns }],
  ]
  return changes.flatMap(([happens, reason, affected = {}]) => (happens ? [{ reason, affected }] : []))
}

const cardinalityOf = ({ definition }: DefinitionContent) => definition.multiValued?.cardinality ?? Infinity
const isClosed = ({ domainVals }: DefinitionMessage) => domainVals !== undefined && domainVals.allowNewValue !== 'true'

const listKeys = ({ domainVals }: DefinitionMessage) => (domainVals?.domainVal ?? []).map(({ tid }) => tid)
const currenciesOf = ({ format }: DefinitionMessage) => (format?.unit ?? []).map(({ code }) => code)
const columnsOf = ({ references }: DefinitionMessage) => (references?.itm ?? []).flatMap(({ value }) => value ?? [])

function lost(
  namesOf: (definition: DefinitionMessage) => string[],
  stored: DefinitionContent,
  next: DefinitionContent,
): string[] {
  const kept = new Set(namesOf(next.definition))
  return namesOf(stored.definition).filter((name) => !kept.has(name))
}
