/** Names that file systems do not support, or that leave their directory, are refused at every entry point and store nothing. */
import { beforeAll, describe, expect, test } from 'vitest'
import { damCalls } from '../../test/dam.ts'
import { dam, form, paramsPart, payloadPart, storedFiles } from '../../test/files.ts'
import { type Reply, withServer } from '../../test/server.ts'
import { sql } from '../adapters/postgres/sql.ts'

const api = withServer()
const { addAssets, createPath, meta, performAssets } = damCalls(api)
const schemaVersion = '5.6.0'
const perform = (resource: string, dataType: string, action: object) =>
  api.post(`${dam}/${resource}/perform`, { schemaVersion, actions: { action: [{ dataType, ...action }] } })
const persist = (resource: string, kind: string, object: object) =>
  api.post(`${dam}/${resource}/persist`, { schemaVersion, [resource]: { [kind]: [object] } })

let [tid, deleted, dirTid] = ['', '', '']
beforeAll(async () => {
  await createPath('/MAM/names')
  const [one, other] = await addAssets('/MAM/names', 'one.jpg', 'other.jpg')
  ;[tid, deleted] = [one!.tid, other!.tid]
  await performAssets({ type: 'delete', tid: deleted })
  dirTid = (await api.db.row<{ tid: string }>(sql`select tid from dam_entry where path = '/MAM/names'`))!.tid
})

const upload = (path: string) => {
  const { body, type } = form(paramsPart({ path }), payloadPart('bytes'))
  return api.post(`${dam}/assets/bin/persist`, body, { type })
}

/** Every request that accepts a name. */
const entrances: [string, (name: string) => Promise<Reply>][] = [
  ['an upload', (name) => upload(`/MAM/names/${name}`)],
  ['an upload in chunks', (name) => api.post(`${dam}/assets/bin/chunked/start`, { path: `/MAM/names/${name}` })],
  ['a new directory', (name) => persist('dirs', 'dir', { parent: dirTid, name })],
  ['a renamed directory', (name) => persist('dirs', 'dir', { tid: dirTid, name })],
  ['a new path', (name) => perform('dirs', 'dir', { type: 'createPath', path: `/MAM/names/${name}/below` })],
  ['a renamed asset', (name) => persist('assets', 'asset', { tid, name })],
  [
    'a copied asset',
    (name) =>
      perform('assets', 'asset', { type: 'copy', tid, ...meta({ destinationDirPath: '/MAM/names', newName: name }) }),
  ],
  [
    'a restored asset',
    (name) => perform('trash', 'asset', { type: 'restore', tid: deleted, ...meta({ newName: name }) }),
  ],
]
const names: [string, string][] = [
  ['upwards', '..'],
  ['nowhere', '.'],
  ['a backslash', '..\\x.jpg'],
  ['a control character', 'a\u0001.jpg'],
  ['a line break', 'a\r\nb.jpg'],
  ['a zero', 'a\u0000.jpg'],
  ['text turned around', 'a\u202egpj.exe'],
  ['a device', 'nul.jpg'],
  ['a dot at the end', 'a.jpg.'],
  ['256 characters', `${'a'.repeat(252)}.jpg`],
]

describe.each(entrances)('%s', (_what, enter) => {
  test.each(names)('refuses %s', async (_why, name) => {
    const state = async () => ({
      files: await storedFiles(api),
      rows: await api.db.rows(sql`select id, name, path, deleted_at from dam_entry order by id`),
      uploads: await api.db.rows(sql`select id from upload`),
    })
    const before = await state()
    const reply = await enter(name)
    const record = reply.json.responses?.response[0]
    expect(record ? [reply.status, record.status] : [reply.status], reply.text).toEqual(record ? [200, 'ERROR'] : [400])
    expect(reply.text).toContain('1001')
    expect(await state()).toEqual(before)
  })
})

test('a valid name is accepted everywhere', async () => {
  for (const [i, [what, enter]] of entrances.entries()) {
    if (what === 'a renamed directory') continue // it contains the others
    const reply = await enter(`good ${i}.jpg`)
    expect([what, reply.status, reply.json.responses?.response[0].status]).toEqual([what, 200, 'SUCCESS'])
  }
})
