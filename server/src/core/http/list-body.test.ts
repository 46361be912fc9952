import { expect, test } from 'vitest'
import { withServer } from '../../../test/server.ts'

const api = withServer()
const path = '/api/core/v1/pim/data-items'

test.each([
  ['a name twice', '[{"tID":"a"},{"tID":"b","tID":"c"}]', '/dataItem[2]/tID: this field is given twice'],
  ['an unknown field', '[{"tID":"a","x":1}]', '/dataItem[1]/x: unknown field'],
  ['an object', '{"tID":"a"}', '/dataItem: an object is not a list'],
  ['more after the list', '[{"tID":"a"}],"x":[]', '/x: unknown field'],
  ['a second list', '[],"dataItem":[]', '/dataItem: this field is given twice'],
  ['bytes that are not UTF-8', Buffer.from('[{"tID":"\xff"}]', 'latin1'), 'this is not UTF-8'],
  ['half a list', '[{"tID":"a"}', '/dataItem'],
])('a body that is a list is read by the rules of messages: %s is refused', async (_, body, message) => {
  const { status, text } = await api.post(path, body, { method: 'PATCH', token: api.adminToken })
  expect([status, text]).toEqual([400, expect.stringContaining(message)])
})
