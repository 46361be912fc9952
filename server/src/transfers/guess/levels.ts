/** Which columns belong to the product, its articles or its variations. */
import { levels } from '../plan.ts'
import type { GuessedColumn, Target } from './targets.ts'

/** Sets the levels of codes, and of columns whose values differ within a product. */
export function levelled(columns: readonly GuessedColumn[], rows: readonly (readonly string[])[]): GuessedColumn[] {
  const isOwn = columns.some(({ reason, target }) => reason === 'heading' && target.field === 'tid')
  const codes = isOwn ? [] : codesOf(columns, rows)
  const depth = codes.length
  return columns.map((one, index) => {
    const { target, reason } = one
    const code = codes.indexOf(index)
    if (target.field === 'tid' && !isOwn)
      return code < 0
        ? { ...one, target: { field: 'ignore' }, reason: 'none', confidence: 0 }
        : { ...one, target: atLevel(target, code) }
    const isFixed = reason === 'heading' || target.level !== undefined || target.field === 'node'
    if (isFixed || target.field === 'ignore' || depth < 2) return one
    const level = codes.findIndex((key) => isConstant(rows, key, index))
    return { ...one, target: atLevel(target, level < 0 ? depth - 1 : level) }
  })
}

function atLevel(target: Target, level: number): Target {
  const { level: _level, ...others } = target
  return level === 0 ? others : { ...others, level: levels[level]! }
}

/** The codes from the product to the variation: the values of each one belong to one value of the code before. */
function codesOf(columns: readonly GuessedColumn[], rows: readonly (readonly string[])[]): number[] {
  const candidates = columns
    .flatMap(({ target, confidence }, index) =>
      target.field === 'tid' ? [{ index, confidence, level: target.level }] : [],
    ) // prettier-ignore
    .map((one) => ({ ...one, count: new Set(rows.flatMap((cells) => cells[one.index]?.trim() || [])).size }))
  const [surest] = candidates.toSorted((a, b) => b.confidence - a.confidence)
  if (!surest) return []
  const chain: number[] = []
  for (const { index } of candidates.filter(({ count }) => count > 0).toSorted((a, b) => a.count - b.count)) {
    const parent = chain.at(-1)
    if (parent === undefined || (chain.length < levels.length && isNested(rows, parent, index))) chain.push(index)
  }
  return chain.length > 1 ? chain : [surest.index]
}

/** Whether each code has several parts below it somewhere, and each part one code. */
const isNested = (rows: readonly (readonly string[])[], parent: number, part: number) =>
  isConstant(rows, part, parent) && !isConstant(rows, parent, part)

/** Whether rows with the same key have the same value in the column. */
function isConstant(rows: readonly (readonly string[])[], key: number, column: number): boolean {
  const values = new Map<string, string>()
  for (const cells of rows) {
    const [code, value] = [cells[key]?.trim() ?? '', cells[column]?.trim() ?? '']
    if (code === '' || value === '') continue
    if ((values.get(code) ?? value) !== value) return false
    values.set(code, value)
  }
  return true
}
