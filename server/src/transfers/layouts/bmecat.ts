/** The layout of BMEcat: imports of 1.2, 2005, 2005.1 and 2005.2, exports as 2005.2. */
import { rootOf } from '../read/xml-elements.ts'
import { type BmecatSurvey, readBmecat, surveyBmecat } from './bmecat-read.ts'
import { writeBmecat } from './bmecat-write.ts'
import type { Layout, LayoutScope, WriterScope } from './layout.ts'
import { type TradeRules, tradeRows } from './trade-rows.ts'

/** Elements that are numbers. Others are codes, even if they have digits only. */
const amounts = /^(PRICE_(?!CURRENCY)|TAX$|QUANTITY_|PACKING_UNIT_QUANTITY_|NO_CU_PER_OU$|DELIVERY_TIME$)/

const rules: TradeRules = {
  tid: 'SUPPLIER_PID',
  name: 'DESCRIPTION_SHORT',
  node: 'CATALOG_GROUP_ID',
  aliases: new Map([
    ['SUPPLIER_PID', ['SUPPLIER_AID']],
    ['INTERNATIONAL_PID', ['GTIN', 'EAN']],
    ['MANUFACTURER_PID', ['MANUFACTURER_AID']],
    ['SUPPLIER_ALT_PID', ['SUPPLIER_ALT_AID']],
    ['BUYER_PID', ['BUYER_AID']],
  ]),
  isMedia: (name) => name.startsWith('MIME_'),
  isText: ({ name, label }) => name.endsWith('_UNIT') || (label === undefined && !amounts.test(name)),
  media: 'MIME_SOURCE',
  silent: new Set(['REFERENCE_FEATURE_SYSTEM_NAME']),
}

/** The file is surveyed once, although it is read twice. */
const surveys = new WeakMap<LayoutScope, Promise<BmecatSurvey>>()

export const bmecat: Layout = {
  document: {
    format: 'xml',
    detects: (head) => rootOf(head) === 'BMECAT',
    async *rows(bytes, scope, open) {
      const surveying = surveys.get(scope) ?? open().then(surveyBmecat)
      surveys.set(scope, surveying)
      const survey = await surveying
      const records = readBmecat(bytes, survey, scope.note)
      yield* tradeRows(records, rules, scope, survey.language)
    },
  },
  writer: {
    formats: ['xml', 'zip'],
    write: (_format, pages, scope) => writeBmecat(pages, toOptions(scope)),
  },
}

const purposes = ['data_sheet', 'detail', 'icon', 'logo', 'normal', 'safety_data_sheet', 'thumbnail', 'others']
/** Names of attributes that mean an element. */
const elements = new Map([...rules.aliases].flatMap(([name, others]) => others.map((other) => [other, name] as const)))

/** The columns of the profile are read in the other direction. */
function toOptions({ profile, locales, nodes, labelOf, kindOf, pathOf }: WriterScope) {
  const { columns = [], catalog = {} } = profile ?? {}
  const language = locales.find((one) => one === catalog.language)
  return {
    catalog,
    locales: language === undefined ? locales : [language, ...locales.filter((one) => one !== language)],
    nodes,
    generated: new Date(),
    labelOf,
    kindOf,
    pathOf,
    numberAttr: columns.find(({ column, attr }) => column === rules.tid && attr !== undefined)?.attr,
    nameOf(attr: string, locale: string | undefined) {
      const given = columns.find((one) => one.attr === attr && (one.locale ?? locale) === locale)
      return given ? given.column.replace(/@.*$/, '') : elements.get(attr)
    },
    purposeOf(linkType: string | undefined) {
      const given = columns.find((one) => one.field === 'asset' && one.linkType === linkType)?.column.replace(/^MIME_/, '') // prettier-ignore
      return given !== undefined && purposes.includes(given) ? given : linkType === undefined ? 'normal' : 'others'
    },
  }
}
