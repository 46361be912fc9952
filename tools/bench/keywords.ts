/** persist of 1,000 keywords per request, against plain multi-row inserts of the same rows into the same table. */
import { encode, formats, Pim } from '@kontor/contract'
import { sql } from '../../server/src/adapters/postgres/sql.ts'
import { compareTime, type Table } from './measure.ts'
import type { BenchServer } from './server.ts'

const size = 1000

export async function keywords(server: BenchServer): Promise<Table> {
  let batch = 0
  const names = () => {
    batch++
    return Array.from({ length: size }, (_, i) => `k${batch}-${i}`)
  }
  const persist = (name: keyof typeof formats) => ({
    what: `persist, ${name}`,
    async run() {
      const kwd = names().map((name) => ({ name: { itm: [{ value: name }] } }))
      const body = encode(formats[name], Pim, { schemaVersion: '5.6.0', kwds: { kwd } })
      const reply = await server.post('/api/core/v1/common/keywords/persist', body, {
        'content-type': formats[name].mediaType,
      })
      if (!reply.ok || (await reply.text()).includes('"ERROR"')) throw new Error(`persist failed: ${reply.status}`)
      return size
    },
  })
  const insert = {
    what: 'plain multi-row insert of the same rows, one transaction',
    async run() {
      const rows = names().map((name) => ({ name, path: `/${name}` }))
      await server.database.run(sql`
        insert into keyword (name, path, created_by, modified_by)
        select name, path, 'bench', 'bench' from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as k (name text, path text)`)
      return size
    },
  }
  return compareTime(
    '1,000 keywords per request',
    'keywords',
    1,
    [insert, persist('json'), persist('compact'), persist('xml')],
    9,
  )
}
