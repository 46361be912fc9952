/** Outgoing calls to URLs that users entered cannot reach the network of the server. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { guardedLookup, isPublic, post } from './post.ts'

// prettier-ignore
test.each([
  ['127.0.0.1', false], ['10.1.2.3', false], ['169.254.169.254', false], ['192.168.0.1', false], ['0.0.0.0', false],
  ['::', false], ['::1', false], ['::7f00:1', false], ['::a00:1', false], ['::ffff:7f00:1', false],
  ['64:ff9b::7f00:1', false], ['fe80::1', false], ['fd00::1', false],
  ['93.184.216.34', true], ['2606:2800:220:1:248:1893:25c8:1946', true],
])('%s is public: %s', (address, expected) => {
  expect(isPublic(address)).toBe(expected)
})

test.each(['https://[::7f00:1]/', 'https://[::127.0.0.1]/', 'https://[::1]/', 'https://127.1/', 'https://0x7f000001/'])(
  '%s is refused without a connection',
  (url) => {
    expect(() => post(url, '', {}, { allowPrivate: false, milliseconds: 1000 })).toThrow('is not a public address')
  },
)

test('a name is resolved once, the connection goes to the checked address, and one inner address is enough to refuse', () => {
  const answers = [['93.184.216.34'], ['127.0.0.1'], ['93.184.216.34', '::7f00:1']]
  const asked: string[] = []
  const lookup = guardedLookup((name, _options, done) => {
    asked.push(name)
    done(
      null,
      answers.shift()!.map((address) => ({ address, family: 4 })),
    )
  })
  const found: unknown[] = []
  const resolve = () => lookup('rebinding.example', {}, (error, address) => found.push(error?.message ?? address))
  resolve()
  expect([asked, found]).toEqual([['rebinding.example'], ['93.184.216.34']])
  resolve()
  resolve()
  expect(found.slice(1)).toEqual([
    'rebinding.example leads to 127.0.0.1, which is not public',
    'rebinding.example leads to ::7f00:1, which is not public',
  ])
})

test('a redirect is not followed', async () => {
  const paths: string[] = []
  const server = createServer((request, reply) => {
    paths.push(request.url!)
    reply.writeHead(307, { location: '/inside' }).end('elsewhere')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const options = { allowPrivate: true, milliseconds: 30_000 }
  expect(await post(`http://127.0.0.1:${port}/hook`, '{}', {}, options)).toMatchObject({ status: 307 })
  expect(paths).toEqual(['/hook'])
  server.close()
})
