import { expect, test } from 'vitest'
import { startLocalServer } from '../test/local-server.ts'
import { fixedToken } from './tokens.ts'
import { fileTransfers } from './transfers.ts'
import { createTransport } from './transport.ts'

const transfersOf = (baseUrl: string) => fileTransfers(createTransport({ baseUrl, tokens: fixedToken('a-token') }))

test('a file is sent as it is, under its own name', async () => {
  const { url, requests } = await startLocalServer(() => ({ body: { id: '7', state: 'received' } }))
  expect(await transfersOf(url).send(new File(['tid,name\n'], 'sails & masts.csv'))).toMatchObject({ id: '7' })
  const [{ method, path, headers, body }] = requests as [(typeof requests)[0]]
  expect([method, path]).toEqual(['POST', '/api/v1/transfers/imports?name=sails+%26+masts.csv'])
  expect(headers).toMatchObject({
    'content-type': 'application/octet-stream',
    'idempotency-key': expect.stringMatching(/.{36}/),
  })
  expect(body.toString()).toBe('tid,name\n')
})

test('the name, format and profile of the caller win', async () => {
  const { url, requests } = await startLocalServer(() => ({ body: { id: '7' } }))
  await transfersOf(url).send(new Blob(['x']), { name: 'in.txt', format: 'csv', profile: 'Suppliers' })
  await transfersOf(url).send(new Blob(['x']))
  expect(requests.map(({ path }) => path.split('?')[1])).toEqual(['name=in.txt&format=csv&profile=Suppliers', 'name=import']) // prettier-ignore
})

test.each(['finished', 'failed', 'paused', 'validated'])('a transfer is polled until it is %s', async (state) => {
  const states = ['validating', 'running', state]
  const { url, requests } = await startLocalServer((_, count) => ({ body: { id: '7', state: states[count - 1] } }))
  const progress: (string | undefined)[] = []
  const done = await transfersOf(url).watch('7', { onProgress: (now) => void progress.push(now.state) })
  expect(done).toMatchObject({ id: '7', state })
  expect(progress).toEqual(states)
  expect(requests.map(({ path }) => path)).toEqual(Array.from({ length: 3 }, () => '/api/v1/transfers/7'))
})

test('an aborted watch asks no more', async () => {
  const { url, requests } = await startLocalServer(() => ({ body: { id: '7', state: 'running' } }))
  const abort = new AbortController()
  const watching = transfersOf(url).watch('7', {
    signal: abort.signal,
    onProgress: () => abort.abort(new Error('stopped by the user')),
  })
  await expect(watching).rejects.toThrow('stopped by the user')
  expect(requests).toHaveLength(1)
})
