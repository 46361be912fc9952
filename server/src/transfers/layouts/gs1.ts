/** The layout of GS1 XML: imports of catalogue item notifications of GDSN. */
import { rootOf } from '../read/xml-elements.ts'
import { gs1Name, isGs1Root, readGs1 } from './gs1-read.ts'
import type { Layout } from './layout.ts'
import { type TradeRules, tradeRows } from './trade-rows.ts'

const rules: TradeRules = {
  tid: 'gtin',
  name: gs1Name,
  node: 'gpcCategoryCode',
  aliases: new Map([['gtin', ['GTIN', 'EAN']]]),
  isMedia: (name) => name.startsWith('uniformResourceIdentifier'),
  isText: ({ name }) => /(gtin|gln|code|identification|number|name|description|unit)$/i.test(name),
  media: 'uniformResourceIdentifier',
  silent: new Set(),
}

export const gs1: Layout = {
  document: {
    format: 'xml',
    detects: (head) => isGs1Root(rootOf(head)),
    async *rows(bytes, scope) {
      yield* tradeRows(readGs1(bytes, scope.note), rules, scope, undefined)
    },
  },
}
