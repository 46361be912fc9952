import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { createModel, jacket, productCalls, simple, vals } from '../../../test/catalogue.ts'
import { field, fullText, search, searchCalls } from '../../../test/search.ts'
import { withServer } from '../../../test/server.ts'
import { sql } from '../../adapters/postgres/sql.ts'
import { mostAlerts } from './alerts.ts'

const api = withServer()
const { found, wait } = searchCalls(api)
const { persist } = productCalls(api)
const stored = `${search}/storedsearch`

const read = { kind: '*', actions: ['read'] }
const putRole = async (name: string, grants: object[]) => {
  const reply = await api.post(`/api/v1/identity/roles/${name}`, { grants }, { method: 'PUT', token: api.adminToken })
  expect(reply.status, reply.text).toBe(200)
}

beforeAll(async () => {
  await createModel(api)
  await putRole('rain', [{ ...read, scopes: { node: ['/Standard/Jackets/Rain'] } }])
})

/** A user of their own, with a word that only their products have. */
async function someone(...roles: string[]) {
  const name = `user-${randomUUID()}`
  const word = `w${randomUUID().replaceAll('-', '')}`
  const token = await api.tokenFor({ name, roles })
  const searchObject = { context: { searchType: 'INDEX', index: 'PRODUCT' }, query: fullText(word) }
  const store = (more: object = {}) => api.post(stored, { name: 'My jackets', searchObject, ...more }, { token })
  const change = (id: number, body: object) => api.post(`${stored}/${id}`, body, { method: 'PATCH', token })
  const entries = async () => (await api.get(stored, { token })).json.storedSearchEntries ?? []
  const messages = async (): Promise<{ subject: string; body: string; parameters: object }[]> =>
    (await api.get('/api/core/v1/common/messages', { token })).json.messages ?? []
  const subjects = async () => (await messages()).map(({ subject }) => subject)
  return { name, word, token, searchObject, store, change, entries, messages, subjects }
}

const add = async (tid: string, word: string, node = '/Standard/Jackets/Rain') => {
  const [record] = await persist(jacket(tid, { node, ...vals(simple('material', word)) }))
  await wait('PRODUCT', record!.id)
}

/** Runs the job as if its time had come. */
const run = () => api.app.jobs['search.alerts']!({} as never, new AbortController().signal)
async function tick() {
  await api.db.run(sql`update search_alert set due_at = now()`)
  await run()
}

describe('a stored search that notifies', () => {
  test('announces every new match once, and nothing that matched before', async () => {
    const { word, store, entries, messages, subjects } = await someone('reader')
    await add(`${word}-1`, word)
    const reply = await store({ notify: 'atOnce' })
    expect(reply.status, reply.text).toBe(201)
    expect(await entries()).toMatchObject([{ name: 'My jackets', notify: 'atOnce' }])
    await tick()
    expect(await subjects()).toEqual([])
    await add(`${word}-2`, word)
    await tick()
    await tick()
    expect(await messages()).toMatchObject([
      {
        subject: '1 new: My jackets',
        body: '1 object more matches your saved search "My jackets".',
        parameters: { storedSearchId: String(reply.json.id) },
      },
    ])
    await add(`${word}-3`, word)
    await add(`${word}-4`, word)
    await tick()
    expect((await subjects())[0]).toBe('2 new: My jackets')
  })

  test('announces a product that is changed so that it matches, and again after it did not', async () => {
    const { word, store, subjects } = await someone('reader')
    const tid = 'changing' // without the word, by which it would be found too
    await add(tid, 'linen')
    await store({ notify: 'daily' })
    for (const material of [word, 'linen', word]) {
      await add(tid, material)
      const expected = material === word ? [tid] : []
      await expect.poll(() => found('PRODUCT', fullText(word))).toEqual(expected)
      await tick()
    }
    expect(await subjects()).toEqual(['1 new: My jackets', '1 new: My jackets'])
  })

  test('is checked when it is due, not before', async () => {
    const { word, store, subjects } = await someone('reader')
    await store({ notify: 'daily' })
    await add(`${word}-1`, word)
    await run()
    expect(await subjects()).toEqual([])
    await tick()
    expect(await subjects()).toHaveLength(1)
  })

  test('two processes that check at the same time announce once', async () => {
    const { word, store, subjects } = await someone('reader')
    await store({ notify: 'atOnce' })
    await add(`${word}-1`, word)
    await api.db.run(sql`update search_alert set due_at = now()`)
    await Promise.all([run(), run(), run()])
    expect(await subjects()).toHaveLength(1)
  })

  test('is switched on and off, and takes the matches of a changed search as known', async () => {
    const { word, store, change, entries, subjects, searchObject } = await someone('reader')
    const { id } = (await store()).json
    expect((await entries())[0].notify).toBeUndefined()
    expect((await change(id, { notify: 'daily' })).status).toBe(200)
    expect(await entries()).toMatchObject([{ notify: 'daily' }])
    await add(`${word}-1`, word)
    await change(id, { searchObject: { ...searchObject, query: field('material', 'EQ', word) } })
    expect(await entries()).toMatchObject([{ notify: 'daily' }])
    await tick()
    expect(await subjects()).toEqual([])
    await change(id, { notify: 'never' })
    await add(`${word}-2`, word)
    await tick()
    expect(await subjects()).toEqual([])
    expect((await entries())[0].notify).toBeUndefined()
  })
})

describe('rights', () => {
  test('a hidden product never notifies', async () => {
    const { word, store, subjects } = await someone('rain')
    await store({ notify: 'atOnce' })
    await add(`${word}-hidden`, word, '/Standard/Jackets')
    await tick()
    expect(await subjects()).toEqual([])
    await add(`${word}-visible`, word)
    await tick()
    expect(await subjects()).toEqual(['1 new: My jackets'])
  })

  test('are those that the user has when the search is run', async () => {
    await putRole('fading', [read])
    const { word, store, subjects } = await someone('fading')
    await store({ notify: 'atOnce' })
    await putRole('fading', [{ ...read, scopes: { node: ['/Standard/Boots'] } }])
    await add(`${word}-1`, word)
    await tick()
    expect(await subjects()).toEqual([])
    await putRole('fading', [read])
    await tick()
    expect(await subjects()).toEqual(['1 new: My jackets'])
  })

  test('a user who is disabled gets nothing, and others are still notified', async () => {
    const [gone, here] = [await someone('reader'), await someone('reader')]
    for (const { store } of [gone, here]) await store({ notify: 'atOnce' })
    await api.db.run(sql`update user_account set enabled = false where name = ${gone.name}`)
    for (const { word } of [gone, here]) await add(`${word}-1`, word)
    await tick()
    expect(await here.subjects()).toHaveLength(1)
    const sent = await api.db.rows(sql`select 1 from message where recipient_user = ${gone.name}`)
    expect(sent).toEqual([])
  })

  test('a search that cannot be run does not hold up the others', async () => {
    const [broken, here] = [await someone('reader'), await someone('reader')]
    for (const { store } of [broken, here]) await store({ notify: 'atOnce' })
    await api.db.run(sql`update stored_search set search = 'null' where user_name = ${broken.name}`)
    await add(`${here.word}-1`, here.word)
    await tick()
    expect(await here.subjects()).toHaveLength(1)
    await api.db.run(sql`delete from stored_search where user_name = ${broken.name}`)
  })
})

describe('refusals', () => {
  test('a user has a limited number of them, also if requests race', async () => {
    const { store, change, entries } = await someone('reader')
    const { id } = (await store()).json
    const replies = await Promise.all(Array.from({ length: mostAlerts + 3 }, () => store({ notify: 'daily' })))
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(mostAlerts)
    expect(replies.find(({ status }) => status === 400)!.text).toContain(
      `at most ${mostAlerts} searches can notify you`,
    )
    expect((await change(id, { notify: 'daily' })).status).toBe(400)
    expect(await entries()).toHaveLength(mostAlerts + 1)
  })

  test('an unknown frequency is 400, and nobody changes the search of another', async () => {
    const [one, other] = [await someone('reader'), await someone('reader')]
    expect((await one.store({ notify: 'hourly' })).status).toBe(400)
    const { id } = (await one.store()).json
    expect((await other.change(id, { notify: 'daily' })).status).toBe(404)
    expect((await one.entries())[0].notify).toBeUndefined()
  })
})
