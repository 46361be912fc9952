/** The same fault has the same path in every format. */
import { expect, test } from 'vitest'
import { Pim } from '../schema/envelope.ts'
import { BadMessage } from './codec.ts'
import { decode, formats } from './formats.ts'

function pathsOf(format: keyof typeof formats, message: string): string[] {
  try {
    decode(formats[format], Pim, new TextEncoder().encode(message))
  } catch (error) {
    if (error instanceof BadMessage) return error.faults.map(({ path }) => path)
    throw error
  }
  return []
}
const xml = (content: string) => `<pim xmlns="http://www.apollon.de/omn" schemaVersion="5.6.0">${content}</pim>`
const json = (content: string) => `{"schemaVersion":"5.6.0",${content}}`

// prettier-ignore
test.each([
  ['a bad attribute',  '/pim/products/product[2]/vals/val[2]/@type',
    '<products><product/><product><vals><val attr="a"/><val attr="b" type="x"/></vals></product></products>',
    '"products":{"product":[{},{"vals":{"val":[{"attr":"a"},{"attr":"b","type":"x"}]}}]}',
    '"products":[{},{"vals":{"a":{},"b":{"type":"x"}}}]'],
  ['a missing attribute', '/pim/actions/action[1]/@type',
    '<actions><action dataType="dir"/></actions>',
    '"actions":{"action":[{"dataType":"dir"}]}',
    '"actions":[{"dataType":"dir"}]'],
  ['a bad text', '/pim/attrDefs/attrDef[1]/multiValued',
    '<attrDefs><attrDef tid="a" type="text"><multiValued>x</multiValued></attrDef></attrDefs>',
    '"attrDefs":{"attrDef":[{"tid":"a","type":"text","multiValued":{"value":"x"}}]}',
    '"attrDefs":[{"tid":"a","type":"text","multiValued":{"value":"x"}}]'],
  ['a bad leaf', '/pim/responses/response[1]/status',
    '<responses><response><status>x</status></response></responses>',
    '"responses":{"response":[{"status":"x"}]}',
    '"responses":[{"status":"x"}]'],
  ['a bad item of a list per locale', '/pim/assets/asset[1]/vals/val[1]/i18n[2]/itm[1]/@pos',
    '<assets><asset tid="a" type="b"><vals><val attr="c"><i18n/><i18n><itm pos="x"/></i18n></val></vals></asset></assets>',
    '"assets":{"asset":[{"tid":"a","type":"b","vals":{"val":[{"attr":"c","i18N":[{},{"itm":[{"pos":"x"}]}]}]}}]}',
    '"assets":[{"tid":"a","type":"b","vals":{"c":{"i18N":[{},{"itm":[{"pos":"x"}]}]}}}]'],
  ['an unknown element', '/pim/kwds/kwd[1]/colour',
    '<kwds><kwd><colour/></kwd></kwds>',
    '"kwds":{"kwd":[{"colour":{}}]}',
    '"kwds":[{"colour":{}}]'],
  ['an unknown container', '/pim/cars',
    '<cars/>',
    '"cars":{}',
    '"cars":[]'],
])('%s', (_what, path, inXml, inJson, inCompact) => {
  expect(pathsOf('xml', xml(inXml))).toEqual([path])
  expect(pathsOf('json', json(inJson))).toEqual([path])
  expect(pathsOf('compact', json(inCompact))).toEqual([path])
})
