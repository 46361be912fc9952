/**
 * The eighteen comparators as nine tests, each plain or negated. A negated comparator is the complement: it also matches
 * documents without a value, and no value may match if there are several.
 */
import type { Comparator, FieldDefinition, FieldType } from './port.ts'

export type Test = 'eq' | 'like' | 'gt' | 'ge' | 'lt' | 'le' | 'in' | 'empty' | 'starts' | 'ends' | 'wildcard'

// prettier-ignore
export const comparatorTests: Record<Comparator, { test: Test; negated: boolean }> = {
  EQ:                   { test: 'eq',       negated: false },
  NOT_EQ:               { test: 'eq',       negated: true },
  LIKE:                 { test: 'like',     negated: false },
  NOT_LIKE:             { test: 'like',     negated: true },
  GT:                   { test: 'gt',       negated: false },
  GE:                   { test: 'ge',       negated: false },
  LT:                   { test: 'lt',       negated: false },
  LE:                   { test: 'le',       negated: false },
  IN:                   { test: 'in',       negated: false },
  NOT_IN:               { test: 'in',       negated: true },
  IS_EMPTY:             { test: 'empty',    negated: false },
  IS_NOT_EMPTY:         { test: 'empty',    negated: true },
  TERM_STARTS_WITH:     { test: 'starts',   negated: false },
  TERM_NOT_STARTS_WITH: { test: 'starts',   negated: true },
  TERM_ENDS_WITH:       { test: 'ends',     negated: false },
  TERM_NOT_ENDS_WITH:   { test: 'ends',     negated: true },
  TERM_WILDCARD:        { test: 'wildcard', negated: false },
  TERM_NOT_WILDCARD:    { test: 'wildcard', negated: true },
}

const comparable: Comparator[] = ['EQ', 'NOT_EQ', 'GT', 'GE', 'LT', 'LE', 'IN', 'NOT_IN', 'IS_EMPTY', 'IS_NOT_EMPTY']
const every = Object.keys(comparatorTests) as Comparator[]

/** The comparators offered for each field type. The others also work, on the value as text. */
export const allowedComparators: Record<FieldType, readonly Comparator[]> = {
  text: every,
  keyword: every,
  number: comparable,
  date: comparable,
  boolean: ['EQ', 'NOT_EQ', 'IN', 'NOT_IN', 'IS_EMPTY', 'IS_NOT_EMPTY'],
}

/** Tests that compare words. The others compare the whole value. */
const wordTests: ReadonlySet<Test> = new Set<Test>(['eq', 'like', 'starts', 'ends', 'wildcard'])

export function comparesWords(field: FieldDefinition, test: Test, keyword = false): boolean {
  return (test === 'like' && isString(field)) || (field.type === 'text' && !keyword && wordTests.has(test))
}

function isString(field: FieldDefinition): boolean {
  return field.type === 'text' || field.type === 'keyword'
}
export function isNumeric(field: FieldDefinition): boolean {
  return field.type === 'number' || field.type === 'date'
}
/** Whether the field has a keyword column: values that are compared, sorted and counted as a whole. */
export function hasKeywordColumn(field: FieldDefinition): boolean {
  return !isNumeric(field) && !field.long
}
/** Whether the words of the field are indexed. */
export function hasWords(field: FieldDefinition): boolean {
  return field.type === 'text' || (field.type === 'keyword' && (field.weight ?? 0) > 0)
}
