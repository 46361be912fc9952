/** The numbers of an import: rows as rows, objects as objects, and only changes as changes. */
import { beforeAll, expect, test, vi } from 'vitest'
import { createModel } from '../../test/catalogue.ts'
import { withServer } from '../../test/server.ts'

const api = withServer()
const at = '/api/v1/transfers'

beforeAll(async () => {
  await createModel(api)
  await api.startWorker()
})

async function imported(body: string, name: string, command = 'start') {
  const sent = await api.post(`${at}/imports?name=${name}`, body, { type: 'application/octet-stream' })
  const path = `${at}/${sent.json.id}`
  expect((await api.post(`${path}/${command}`)).status).toBe(200)
  return vi.waitFor(
    async () => {
      const { json } = await api.get(path)
      expect(['finished', 'validated'], json.problem).toContain(json.state)
      const { rows = [] } = (await api.get(`${path}/rows`)).json as { rows?: { status: string }[] }
      const { created, updated, unchanged, refused, objects } = json
      return { rows: rows.map(({ status }) => status), counts: [created, updated, unchanged, refused], objects }
    },
    { timeout: 40_000, interval: 50 },
  )
}
const objects = (created: number, updated: number, unchanged: number, refused: number) =>
  ({ created, updated, unchanged, refused }) // prettier-ignore

const table = (
  colour: string,
  weight = '5',
) => `tid,name,node,weight,article:tid,article:name,variant:tid,variant:name,variant:color
N1,One,/Standard/Jackets,${weight},N1a,One a,N1a1,One a 1,${colour}
N1,,,,N1a,,N1a2,One a 2,red
N2,Two,/Standard/Jackets,7,,,,,
`

test('a check and a new import count rows and products', async () => {
  const expected = { rows: ['created', 'updated', 'created'], counts: [2, 1, 0, 0], objects: objects(2, 0, 0, 0) }
  expect(await imported(table('red'), 'new.csv', 'validate')).toEqual(expected)
  expect(await imported(table('red'), 'new.csv')).toEqual(expected)
})

test('rows of products that stay as they are are unchanged', async () => {
  const expected = { rows: ['unchanged', 'unchanged', 'unchanged'], counts: [0, 0, 3, 0], objects: objects(0, 0, 2, 0) }
  expect(await imported(table('red'), 'same.csv')).toEqual(expected)
})

test('a change of a variation is a change of its product', async () => {
  const expected = { rows: ['updated', 'updated', 'unchanged'], counts: [0, 2, 1, 0], objects: objects(0, 1, 1, 0) }
  expect(await imported(table('blue'), 'colour.csv')).toEqual(expected)
})

test('a refused row refuses its product, and an object without a tid is an object too', async () => {
  const { rows, objects: counted } = await imported(table('blue', 'heavy'), 'refused.csv')
  expect([rows[0], counted]).toEqual(['refused', objects(0, 0, 1, 1)])
  const lines = '{"name":"Nameless","node":"/Standard/Jackets"}\n{"tid":"N2","name":"Two","node":"/Standard/Jackets"}\n'
  expect(await imported(lines, 'lines.jsonl')).toMatchObject({ counts: [1, 0, 1, 0], objects: objects(1, 0, 1, 0) })
})

test('objects of other kinds are counted by their changes too', async () => {
  const xml = (name: string) =>
    `<pim xmlns="http://www.apollon.de/omn" schemaVersion="5.6.0"><glossaries><glossary tid="G1"><name>${name}</name></glossary><glossary tid="G2"><name>Second</name></glossary></glossaries></pim>`
  expect(await imported(xml('First'), 'glossaries.xml')).toMatchObject({ counts: [2, 0, 0, 0] })
  expect(await imported(xml('First'), 'glossaries.xml')).toMatchObject({ counts: [0, 0, 2, 0] })
  expect(await imported(xml('Other'), 'glossaries.xml')).toMatchObject({ counts: [0, 1, 1, 0], objects: objects(0, 1, 1, 0) }) // prettier-ignore
})
