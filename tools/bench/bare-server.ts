/**
 * The bare limit for tools/bench/daily.ts: a plain HTTP server that stores and reads the same products as one JSON column by
 * prepared statements, without rights, rules, history, events or search. Prints its port.
 */
import { createReadStream } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { Pool, type QueryConfig } from 'pg'

const pool = new Pool({ host: process.argv[2]!, user: 'kontor', database: 'postgres', max: 16 })
await pool.query('drop table if exists bare_product')
await pool.query('create table bare_product (tid text primary key, node text not null, body jsonb not null)')
await pool.query('create index on bare_product (node)')

interface Product {
  readonly tid: string
  readonly node: string
}
const columns = (products: readonly Product[]) => [
  products.map(({ tid }) => tid),
  products.map(({ node }) => node),
  products.map((product) => JSON.stringify(product)),
]

/** By path; the body is a list of products. */
const statements: Record<string, (body: Product[]) => QueryConfig> = {
  '/read': ([asked]) => ({ name: 'read', text: 'select body from bare_product where tid = $1', values: [asked!.tid] }),
  '/create': (products) => ({
    name: 'create',
    text: 'insert into bare_product select * from unnest($1::text[], $2::text[], $3::jsonb[])',
    values: columns(products),
  }),
  '/update': (products) => ({
    name: 'update',
    text: `update bare_product b set body = b.body || n.body from unnest($1::text[], $2::text[], $3::jsonb[]) as n (tid, node, body) where b.tid = n.tid`,
    values: columns(products),
  }),
}

/** `/file?<bytes>`: so many bytes, from a file. */
async function sendFile(size: number, reply: ServerResponse): Promise<void> {
  const path = join(tmpdir(), `kontor-bench-${process.pid}`)
  await writeFile(path, Buffer.alloc(size, 'a line of a file\n'))
  await pipeline(createReadStream(path), reply)
  await rm(path)
}

const server = createServer((request, reply) => {
  void (async () => {
    const [path, size] = request.url!.split('?')
    if (path === '/file') return sendFile(Number(size), reply)
    const { rows } = await pool.query(statements[request.url!]!((await json(request)) as Product[]))
    const body = Buffer.from(JSON.stringify(rows))
    reply.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body)
  })()
})
server.listen(0, '127.0.0.1', () => console.log((server.address() as { port: number }).port))
