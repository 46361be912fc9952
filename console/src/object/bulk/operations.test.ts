import { expect, test } from 'vitest'
import type { Attribute } from '../values/attribute.ts'
import { fromOperation, type Operation, toOperation } from './operations.ts'

const attribute = (key: string): Attribute =>
  ({ key, label: key, dataType: 'text', localized: false, multiple: false }) as Attribute
const attributes = new Map(['title', 'brand'].map((key) => [key, attribute(key)]))

test.each<Operation>([
  { type: 'copy', attribute: 'title', from: 'brand', clearIfMissing: true },
  { type: 'concatenate', attribute: 'title', template: '{brand} jacket', clearIfMissing: true },
  { type: 'calculate', attribute: 'title', expression: 'text("brand")', clearIfMissing: true },
  { type: 'calculate', attribute: 'title', expression: 'text("brand")' },
  { type: 'findReplace', attribute: 'title', find: 'a', replacement: 'b' },
  { type: 'link', dataType: 'asset', to: 'F1', linkType: 'Main_Image' },
])('a stored operation that is edited keeps its fields: $type $clearIfMissing', (operation) => {
  expect(toOperation(fromOperation('product', operation)!, attributes)).toEqual(operation)
})
